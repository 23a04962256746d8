/* A sign-in as an app displays it. Tokens stay inside the client. */
package subscriptions

sealed interface Session {
    data class SignedIn(val customerId: Long) : Session

    /**
     * [endedByService]: the service has ended the session. The app should show the sign-in without an error message.
     */
    data class SignedOut(val endedByService: Boolean = false) : Session

    /** The storage cannot be read, for example on a locked device. The customer stays signed in. */
    data class Unknown(val error: ServiceError) : Session
}

internal fun sessionOf(stored: StoredSession?, endedByService: Boolean = false): Session =
    if (stored == null) Session.SignedOut(endedByService) else Session.SignedIn(stored.customerId)
