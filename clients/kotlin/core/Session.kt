/* What an app shows of a sign-in. Tokens stay inside the client. */
package subscriptions

sealed interface Session {
    data class SignedIn(val customerId: Long) : Session

    /** [endedByService]: the service has ended the sign-in, so the app shows the sign-in without a word of an error. */
    data class SignedOut(val endedByService: Boolean = false) : Session

    /** The storage does not tell, for example on a locked device. Nobody is signed out by it. */
    data class Unknown(val error: ServiceError) : Session
}

internal fun sessionOf(stored: StoredSession?): Session =
    if (stored == null) Session.SignedOut() else Session.SignedIn(stored.customerId)
