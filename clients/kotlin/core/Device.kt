/* The device functions that the client uses. All can be replaced, so that a test controls time and lost responses. */
package subscriptions

import java.util.UUID
import kotlin.random.Random

/** The Keystore or another storage that no other app can read. Each exception becomes STORAGE and keeps the session. */
interface Storage {
    /** Null if nothing is stored. */
    suspend fun get(key: String): String?
    suspend fun set(key: String, text: String)
    suspend fun remove(key: String)
}

/** [redirectUri]: the address to which the platform redirects the browser. */
data class BrowserRequest(val authUrl: String, val redirectUri: String)

/** Shows the platform's sign-in pages in the system's browser, never in a web view of the app. */
fun interface OpenBrowser {
    /**
     * Returns the redirect address, or null if the browser closed without one or delivers it another way. Null does not
     * cancel the sign-in: `completeSignIn` accepts the address for 15 minutes.
     */
    suspend fun open(request: BrowserRequest): String?
}

/** [now]: epoch milliseconds of the device's clock, which may be wrong. [wait]: waits for the milliseconds. */
class Environment(
    val http: Http = UrlConnectionHttp(),
    val now: () -> Long = System::currentTimeMillis,
    val wait: suspend (Long) -> Unit = { kotlinx.coroutines.delay(it) },
    /** A number from 0 to below 1, for the jitter of retries. */
    val random: () -> Double = Random::nextDouble,
    /** Returns a new unique string for each call: the idempotency key of a change. */
    val createKey: () -> String = { UUID.randomUUID().toString() },
)
