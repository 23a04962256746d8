/*
 * An access token that is still good. One refresh at a time; the stored session is read again before and after it, so that a
 * newer one is used and a sign-out wins; and the new pair is stored before its first use.
 */
package subscriptions

import kotlinx.coroutines.Deferred
import kotlinx.coroutines.async

internal class FreshToken(private val parts: Parts) {
    private val turns = parts.turns
    private val announce = parts.announcer::announce
    private fun now() = parts.environment.now()
    private var refreshing: Deferred<String>? = null

    /** [refused]: the access token that the service has just refused. SIGNED_OUT where nobody is signed in, and only there. */
    suspend fun get(refused: String? = null): String {
        val stored = readStored()
        if (stored.isGood(now(), refused)) return stored.accessToken
        // It goes on when the one who asked first is cancelled: its answer has to be stored.
        val currentRun = synchronized(this) {
            refreshing?.takeIf { it.isActive } ?: parts.scope.async { refresh(refused) }.also { refreshing = it }
        }
        val token = currentRun.await()
        // Somebody else's refresh was begun for another refused token.
        return if (token == refused) get(refused) else token
    }

    private suspend fun refresh(refused: String?): String {
        val sent = readStored()
        if (sent.isGood(now(), refused)) return sent.accessToken
        val next = askForNext(sent)
        return turns.inTurn {
            val stored = session()
            announce(sessionOf(stored))
            if (stored == null) throw ServiceError(SIGNED_OUT)
            // Another part of the app, or another sign-in, was faster: what is stored is newer than this answer.
            if (stored.refreshToken != sent.refreshToken) return@inTurn stored.accessToken
            setSession(next)
            if (next != null) return@inTurn next.accessToken
            announce(Session.SignedOut(endedByService = true))
            throw ServiceError(SIGNED_OUT)
        }
    }

    /** Null: the service has ended the sign-in of this token. Everything else that goes wrong is thrown, and ends nothing. */
    private suspend fun askForNext(sent: StoredSession): StoredSession? {
        val body = mapOf("shop" to parts.shop, "customerId" to sent.customerId, "refreshToken" to sent.refreshToken)
        return try {
            toStoredSession(parts.calls.send(Call("/headless-auth/refresh", body)), sent.state, now())
        } catch (error: ServiceError) {
            if (!error.hasCode("INVALID_REFRESH_TOKEN", "TOKEN_NOT_FOUND")) throw error
            null
        }
    }

    private suspend fun readStored(): StoredSession {
        val stored = turns.inTurn { session() }
        announce(sessionOf(stored))
        return stored ?: throw ServiceError(SIGNED_OUT)
    }
}
