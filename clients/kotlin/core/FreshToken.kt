/*
 * Provides a valid access token. Runs one refresh at a time. Reads the stored session again before and after a refresh,
 * so that a newer session is used and a sign-out wins. Stores the new pair before its first use.
 */
package subscriptions

import kotlinx.coroutines.Deferred
import kotlinx.coroutines.async

internal class FreshToken(private val parts: Parts) {
    private val turns = parts.turns
    private fun now() = parts.environment.now()
    private var refreshing: Deferred<String>? = null

    /**
     * Returns a valid access token. [refused] is the access token that the service has just rejected. Throws SIGNED_OUT
     * only if there is no session.
     */
    suspend fun get(refused: String? = null): String {
        val stored = readStored()
        if (stored.isGood(now(), refused)) return stored.accessToken
        // The refresh continues if its first caller is cancelled, because its response has to be stored.
        val currentRun = synchronized(this) {
            refreshing?.takeIf { it.isActive } ?: parts.scope.async { refresh(refused) }.also { refreshing = it }
        }
        val token = currentRun.await()
        // The shared refresh was started for another rejected token.
        return if (token == refused) get(refused) else token
    }

    private suspend fun refresh(refused: String?): String {
        val sent = readStored()
        if (sent.isGood(now(), refused)) return sent.accessToken
        val next = askForNext(sent)
        return turns.inTurn {
            val stored = session()
            parts.announceStored(this)
            if (stored == null) throw ServiceError(SIGNED_OUT)
            // Another part of the app, or another sign-in, was faster: the stored session is newer than this response.
            if (stored.refreshToken != sent.refreshToken) return@inTurn stored.accessToken
            if (next != null) {
                setSession(next)
                return@inTurn next.accessToken
            }
            setEnded()
            parts.announcer.announce(Session.SignedOut(endedByService = true))
            throw ServiceError(SIGNED_OUT)
        }
    }

    /**
     * Requests the next token pair, or returns null if the service has ended the token's session. Every other error is
     * thrown and keeps the session.
     */
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
        val stored = turns.inTurn { session().also { parts.announceStored(this) } }
        return stored ?: throw ServiceError(SIGNED_OUT)
    }
}
