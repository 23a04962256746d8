/* Sign-out, which a lost connection does not undo: nobody is signed in at once, and the service is told until it has heard it. */
package subscriptions

import kotlinx.coroutines.Deferred
import kotlinx.coroutines.async
import kotlinx.coroutines.launch

/** Who signs out more often than this without a connection is not waited for longer. */
private const val MOST_KEPT = 5

/** Has the service told that this sign-in is over, as soon as it can be reached. */
internal suspend fun Records.keepSignOut(ended: StoredSession) =
    setSignOuts((listOf(StoredSignOut(ended.customerId, ended.refreshToken)) + signOuts()).take(MOST_KEPT))

internal class SignOut(private val parts: Parts) {
    private val turns = parts.turns
    private var telling: Deferred<Unit>? = null

    /** Throws STORAGE where the tokens could not be taken out: then nobody is signed out. */
    suspend fun end() {
        val untold = turns.inTurn {
            val held = session()
            // A full storage keeps nobody signed in: then the service is told now or never.
            val isKept = held == null || runCatching { keepSignOut(held) }.isSuccess
            setSignIns(emptyList())
            setSession(null)
            parts.announcer.announce(sessionOf(null))
            held.takeUnless { isKept }
        }
        if (untold != null) parts.scope.launch { isHeard(StoredSignOut(untold.customerId, untold.refreshToken)) }
        parts.scope.launch { runCatching { tellAll() } }
    }

    /** Tells the service about sign-outs that it may not have heard of. Throws STORAGE; what passes is left for another time. */
    suspend fun tellAll() {
        val mine = synchronized(this) {
            telling?.takeIf { it.isActive } ?: parts.scope.async { tellEach() }.also { telling = it }
        }
        mine.await()
    }

    private suspend fun tellEach() {
        for (signOut in turns.inTurn { signOuts() }) {
            if (isHeard(signOut)) turns.inTurn { setSignOuts(signOuts() - signOut) }
        }
    }

    private suspend fun isHeard(signOut: StoredSignOut): Boolean {
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
