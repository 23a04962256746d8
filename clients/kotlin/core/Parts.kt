/* What the use cases of a session share. */
package subscriptions

import kotlinx.coroutines.CoroutineScope

internal class Parts(
    val shop: String,
    val turns: Turns,
    val calls: ServiceCalls,
    val openBrowser: OpenBrowser,
    val announcer: Announcer,
    val environment: Environment,
    val deadlineMs: Long,
    /** Where work goes on when the one who asked for it is gone. */
    val scope: CoroutineScope,
) {
    /** When a call that begins now is over, by the device's clock. */
    fun endsAtMs(): Long = environment.now() + deadlineMs

    /** Who is signed in, read now and told to all. Throws STORAGE. */
    suspend fun readSession(): Session = turns.inTurn { sessionOf(session()).also(announcer::announce) }
}
