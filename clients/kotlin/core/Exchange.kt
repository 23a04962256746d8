/*
 * Exchanges a sign-in's code for its tokens: sends the same request until the service responds, also after a restart of
 * the app.
 */
package subscriptions

import java.util.concurrent.ConcurrentHashMap
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.async

internal class Exchange(private val parts: Parts) {
    private val turns = parts.turns
    private val running = ConcurrentHashMap<String, Deferred<Session>>()

    /**
     * An address can arrive twice at the same time. Both calls share one exchange, which continues if both are
     * cancelled.
     */
    suspend fun of(signIn: StoredSignIn): Session =
        running.computeIfAbsent(signIn.state) {
            parts.scope.async { exchange(signIn) }.also { currentRun -> currentRun.invokeOnCompletion { running.remove(signIn.state) } }
        }.await()

    /** Returns the sign-in whose code awaits a response. Drops a sign-in that has already become the stored session. */
    suspend fun newestWaiting(): StoredSignIn? = turns.inTurn {
        val waiting = signIns().find { it.code != null }
        if (waiting == null || session()?.state != waiting.state) return@inTurn waiting
        drop(waiting)
        null
    }

    private suspend fun exchange(signIn: StoredSignIn): Session {
        val body = mapOf(
            "shop" to parts.shop, "code" to signIn.code, "verifier" to signIn.verifier, "nonce" to signIn.nonce,
        )
        try {
            val endsAtMs = parts.endsAtMs()
            val next = parts.calls.keepTrying(endsAtMs) {
                val answer = parts.calls.send(Call("/headless-auth/exchange", body), endsAtMs)
                toStoredSession(answer, signIn.state, parts.environment.now())
            }
            return store(signIn, next)
        } catch (error: ServiceError) {
            if (error.isFinal) turns.inTurn { drop(signIn) }
            throw error
        }
    }

    private suspend fun store(signIn: StoredSignIn, next: StoredSession): Session = turns.inTurn {
        val stored = session()
        if (stored?.state != signIn.state) {
            if (signIns().none { it.state == signIn.state }) {
                // A concurrent sign-out wins.
                keepSignOut(next)
                throw ServiceError(SIGNED_OUT)
            }
            setSession(next)
        }
        val session = sessionOf(if (stored?.state == signIn.state) stored else next)
        parts.announcer.announce(session)
        // If this fails, `newestWaiting` detects the completed sign-in. A sign-in that started earlier must not replace
        // this one later.
        runCatching { drop(signIn) { it.startedAtMs > signIn.startedAtMs } }
        session
    }

    private suspend fun Records.drop(signIn: StoredSignIn, isRetained: (StoredSignIn) -> Boolean = { true }) =
        setSignIns(signIns().filter { it.state != signIn.state && isRetained(it) })
}
