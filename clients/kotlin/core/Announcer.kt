/* Tells listeners who is signed in: outside the turn of the storage, never waited for, and each change once. */
package subscriptions

import java.util.concurrent.CopyOnWriteArraySet
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.launch

internal class Announcer(private val scope: CoroutineScope) {
    private val all = CopyOnWriteArraySet<Channel<Session>>()

    /** Tells all who know another session. */
    fun announce(session: Session) = all.forEach { it.trySend(session) }

    /** Tells the listener what [current] gives, then all changes. The result ends it. What it throws breaks nothing. */
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

/** Who ended a sign-in is told with the change alone. */
private fun Session.isAs(other: Session): Boolean =
    this == other || (this is Session.SignedOut && other is Session.SignedOut)
