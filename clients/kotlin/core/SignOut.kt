/* Sign-out, which a lost connection does not undo: nobody is signed in at once, and the service is told until it has heard it. */
package subscriptions

import kotlinx.coroutines.Deferred
import kotlinx.coroutines.async
import kotlinx.coroutines.launch

/** Who signs out more often than this without a connection is not waited for longer. */
private const val MAX_STORED = 5

/** Has the service told that this sign-in is over, as soon as it can be reached. */
internal suspend fun Records.keepSignOut(ended: StoredSession) =
    setSignOuts((listOf(StoredSignOut(ended.customerId, ended.refreshToken)) + signOuts()).take(MAX_STORED))

internal class SignOut(private val parts: Parts) {
    private val turns = parts.turns
    private var running: Deferred<Unit>? = null

    /** Throws STORAGE where the tokens could not be taken out: then nobody is signed out. */
    suspend fun end() {
        val pendingSignOuts = turns.inTurn {
            val stored = session()
            // A full storage keeps nobody signed in: then the service is told now or never.
            val isStored = stored == null || runCatching { keepSignOut(stored) }.isSuccess
            setSignIns(emptyList())
            setSession(null)
            parts.announcer.announce(sessionOf(null))
            stored.takeUnless { isStored }
        }
        if (pendingSignOuts != null) parts.scope.launch { isReceived(StoredSignOut(pendingSignOuts.customerId, pendingSignOuts.refreshToken)) }
        parts.scope.launch { runCatching { sendAll() } }
    }

    /** Tells the service about sign-outs that it may not have heard of. Throws STORAGE; what passes is left for another time. */
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
