/* What the client takes of the device. All of it can be given, so that a test decides what time it is and what gets lost. */
package subscriptions

import java.util.UUID
import kotlin.random.Random

/** The Keystore or another place that no other app reads. Whatever is thrown becomes STORAGE, and signs nobody out. */
interface Storage {
    /** Null where nothing is stored. */
    suspend fun get(key: String): String?
    suspend fun set(key: String, text: String)
    suspend fun remove(key: String)
}

/** [redirectUri]: where the browser comes back to. */
data class BrowserRequest(val authUrl: String, val redirectUri: String)

/** Shows the platform's sign-in pages: in the system's browser, never in a web view of the app's own. */
fun interface OpenBrowser {
    /**
     * The address that the browser came back to; null where it closed without one, or where the answer comes by another way.
     * Null cancels nothing: for 15 minutes `completeSignIn` takes the address.
     */
    suspend fun open(request: BrowserRequest): String?
}

/** [now]: epoch milliseconds of the device's clock, which may be wrong. [wait]: for so many milliseconds. */
class Environment(
    val http: Http = UrlConnectionHttp(),
    val now: () -> Long = System::currentTimeMillis,
    val wait: suspend (Long) -> Unit = { kotlinx.coroutines.delay(it) },
    /** From 0 to below 1; spreads repeats. */
    val random: () -> Double = Random::nextDouble,
    /** A new text for each call, unlike all others: the key of a change. */
    val createKey: () -> String = { UUID.randomUUID().toString() },
)
