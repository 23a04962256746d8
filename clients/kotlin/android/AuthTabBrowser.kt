/*
 * The system's browser on Android: an Auth Tab, or a Custom Tab if the browser has none (androidx.browser 1.9 chooses).
 * A Custom Tab delivers the address only through the intent filter: pass that to `completeSignIn`.
 */
package subscriptions.android

import android.content.Intent
import android.net.Uri
import androidx.activity.result.ActivityResultCaller
import androidx.activity.result.ActivityResultLauncher
import androidx.browser.auth.AuthTabIntent
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext
import subscriptions.BrowserRequest
import subscriptions.OpenBrowser

class AuthTabBrowser : OpenBrowser {
    private var launcher: ActivityResultLauncher<Intent>? = null
    private var waiting: CompletableDeferred<String?>? = null

    /**
     * Registers the browser. Call it in each `onCreate` of the activity that signs in. [onLateAnswer] receives the
     * address when the app's process ended while the tab was open: pass it to `completeSignIn`.
     */
    fun register(activity: ActivityResultCaller, onLateAnswer: (String) -> Unit) {
        launcher = AuthTabIntent.registerActivityResultLauncher(activity) { result ->
            // Closing the tab does not cancel the sign-in: a minimised tab cannot be distinguished, and a Custom Tab's
            // address arrives later.
            val address = result.resultUri?.toString()
            if (waiting?.complete(address) != true && address != null) onLateAnswer(address)
        }
    }

    override suspend fun open(request: BrowserRequest): String? = withContext(Dispatchers.Main) {
        val launcher = checkNotNull(launcher) { "Call register in onCreate of the activity first." }
        waiting?.complete(null)
        val answer = CompletableDeferred<String?>().also { waiting = it }
        val scheme = request.redirectUri.substringBefore(':')
        AuthTabIntent.Builder().build().launch(launcher, Uri.parse(request.authUrl), scheme)
        answer.await()
    }
}
