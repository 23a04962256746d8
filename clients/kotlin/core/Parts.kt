/* The dependencies that a session's use cases share. */
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
    /** The scope of work that continues after its caller is cancelled. */
    val scope: CoroutineScope,
) {
    /** The deadline of a call that starts now, by the device's clock. */
    fun endsAtMs(): Long = environment.now() + deadlineMs

    /** Reads the session and announces it to all listeners. Throws STORAGE. */
    suspend fun readSession(): Session = turns.inTurn { announceStored(this) }

    /** Reads the stored session and announces it to all listeners. */
    suspend fun announceStored(records: Records): Session {
        val stored = records.session()
        return sessionOf(stored, stored == null && records.isEnded()).also(announcer::announce)
    }
}
