/*
 * Sign-out. It survives a lost connection: the session ends immediately on the device, and the service receives the
 * sign-out as soon as it is reachable.
 */
package subscriptions

import kotlinx.coroutines.Deferred
import kotlinx.coroutines.async
import kotlinx.coroutines.launch

/** The maximum number of sign-outs that wait for a connection; older ones are dropped. */
private const val MAX_STORED = 5

/** Queues a sign-out for the service. */
internal suspend fun Records.keepSignOut(ended: StoredSession) =
    setSignOuts((listOf(StoredSignOut(ended.customerId, ended.refreshToken)) + signOuts()).take(MAX_STORED))

internal class SignOut(private val parts: Parts) {
    private val turns = parts.turns
    private var running: Deferred<Unit>? = null

    /** Signs out. Throws STORAGE if the tokens could not be deleted; then the session is unchanged. */
    suspend fun end() {
        val pendingSignOuts = turns.inTurn {
            val stored = session()
            // A full storage must not prevent the sign-out. Without a queued record, the service receives it now or
            // never.
            val isStored = stored == null || runCatching { keepSignOut(stored) }.isSuccess
            setSignIns(emptyList())
            setSession(null)
            parts.announcer.announce(sessionOf(null))
            stored.takeUnless { isStored }
        }
        if (pendingSignOuts != null) parts.scope.launch { isReceived(StoredSignOut(pendingSignOuts.customerId, pendingSignOuts.refreshToken)) }
        parts.scope.launch { runCatching { sendAll() } }
    }

    /** Sends all queued sign-outs to the service. Throws STORAGE; the next run retries transient errors. */
    suspend fun sendAll() {
        val currentRun = synchronized(this) {
            running?.takeIf { it.isActive } ?: parts.scope.async { sendEach() }.also { running = it }
        }
        currentRun.await()
    }

    private suspend fun sendEach() {
        for (signOut in turns.inTurn { signOuts() }) {
            if (isReceived(signOut)) turns.inTurn { setSignOuts(signOuts() - signOut) }
        }
    }

    private suspend fun isReceived(signOut: StoredSignOut): Boolean {
        val body = mapOf(
            "shop" to parts.shop, "customerId" to signOut.customerId, "refreshToken" to signOut.refreshToken,
        )
        return try {
            val endsAtMs = parts.endsAtMs()
            parts.calls.keepTrying(endsAtMs) {
                parts.calls.send(Call("/headless-auth/revoke", body, "DELETE"), endsAtMs)
            }
            true
        } catch (error: ServiceError) {
            error.isFinal
        }
    }
}
