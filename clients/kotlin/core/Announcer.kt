/* Notifies listeners of the session: outside the storage's lock, without waiting for them, and once per change. */
package subscriptions

import java.util.concurrent.CopyOnWriteArraySet
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.launch

internal class Announcer(private val scope: CoroutineScope) {
    private val all = CopyOnWriteArraySet<Channel<Session>>()

    /** Notifies all listeners whose last session differs. */
    fun announce(session: Session) = all.forEach { it.trySend(session) }

    /**
     * Calls the listener with the result of [current], then with each change, until the returned function is called.
     * Ignores the listener's exceptions.
     */
    fun listen(current: suspend () -> Session, listener: (Session) -> Unit): () -> Unit {
        val channel = Channel<Session>(Channel.UNLIMITED).also(all::add)
        val job = scope.launch {
            var known = current()
            runCatching { listener(known) }
            for (session in channel) {
                if (session.isAs(known)) continue
                known = session
                runCatching { listener(session) }
            }
        }
        return {
            all.remove(channel)
            job.cancel()
        }
    }
}

/** Compares sessions without the reason of a sign-out: only the change itself reports it. */
private fun Session.isAs(other: Session): Boolean =
    this == other || (this is Session.SignedOut && other is Session.SignedOut)
