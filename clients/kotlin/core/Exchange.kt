/* The code of a sign-in for its tokens: the same request until it is answered, also after the app was killed. */
package subscriptions

import java.util.concurrent.ConcurrentHashMap
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.async

internal class Exchange(private val parts: Parts) {
    private val turns = parts.turns
    private val running = ConcurrentHashMap<String, Deferred<Session>>()

    /** An address may arrive by two ways at once; both get the one exchange, which goes on when neither waits any more. */
    suspend fun of(signIn: StoredSignIn): Session =
        running.computeIfAbsent(signIn.state) {
            parts.scope.async { exchange(signIn) }.also { currentRun -> currentRun.invokeOnCompletion { running.remove(signIn.state) } }
        }.await()

    /** The sign-in whose code waits for its answer. One that became the stored session is over, though nobody noted it. */
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
                // A sign-out meanwhile wins.
                keepSignOut(next)
                throw ServiceError(SIGNED_OUT)
            }
            setSession(next)
        }
        val session = sessionOf(if (stored?.state == signIn.state) stored else next)
        parts.announcer.announce(session)
        // If this fails, `newestWaiting` finds that the sign-in is over. One that began earlier must not take its place later.
        runCatching { drop(signIn) { it.startedAtMs > signIn.startedAtMs } }
        session
    }

    private suspend fun Records.drop(signIn: StoredSignIn, isRetained: (StoredSignIn) -> Boolean = { true }) =
        setSignIns(signIns().filter { it.state != signIn.state && isRetained(it) })
}
