/* See AndroidContent.kt. androidx.browser 1.9.0. */
@file:Suppress("UNUSED_PARAMETER")

package androidx.browser.auth

import android.content.Intent
import android.net.Uri
import androidx.activity.result.ActivityResultCallback
import androidx.activity.result.ActivityResultCaller
import androidx.activity.result.ActivityResultLauncher

class AuthTabIntent {
    fun launch(launcher: ActivityResultLauncher<Intent>, url: Uri, redirectScheme: String): Unit = TODO()

    class Builder {
        fun build(): AuthTabIntent = TODO()
    }

    class AuthResult {
        @JvmField
        val resultCode: Int = TODO()

        @JvmField
        val resultUri: Uri? = TODO()
    }

    companion object {
        const val RESULT_OK = -1
        const val RESULT_CANCELED = 0

        @JvmStatic
        fun registerActivityResultLauncher(
            caller: ActivityResultCaller, callback: ActivityResultCallback<AuthResult>,
        ): ActivityResultLauncher<Intent> = TODO()
    }
}
