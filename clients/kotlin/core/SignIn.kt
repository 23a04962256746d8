/*
 * Sign-in: start, the platform's pages in the system's browser, exchange. Each step is stored before the next one
 * starts.
 */
package subscriptions

/** The service accepts a code for 15 minutes after the start. */
private const val LIFETIME_MS = 15 * 60_000L
/**
 * The maximum number of started sign-ins that are kept, newest first: a customer can press the button again while the
 * first browser is open.
 */
private const val MAX_OPEN = 3

internal class SignIn(private val parts: Parts, private val exchange: Exchange) {
    private val turns = parts.turns

    suspend fun begin(): Session = try {
        beginOnce()
    } catch (error: ServiceError) {
        // The code was rejected or expired. Try again: the customer is usually still signed in at the platform and sees
        // no form.
        if (!error.hasCode("SIGN_IN_REJECTED", "INVALID_NONCE")) throw error
        beginOnce()
    }

    private suspend fun beginOnce(): Session {
        exchange.newestWaiting()?.let { return exchange.of(it) }
        val (authUrl, started) = start()
        turns.inTurn { setSignIns((listOf(started) + readOpen()).take(MAX_OPEN)) }
        val url = parts.openBrowser.open(BrowserRequest(authUrl, started.redirectUri))
        return if (url == null) parts.readSession() else complete(url)
    }

    private suspend fun start(): Pair<String, StoredSignIn> {
        val endsAtMs = parts.endsAtMs()
        return parts.calls.keepTrying(endsAtMs) {
            // The platform shows its sign-in pages in this language.
            val locale = parts.calls.language()?.let { mapOf("locale" to it) }.orEmpty()
            val json = parts.calls.send(Call("/headless-auth/start", mapOf("shop" to parts.shop) + locale), endsAtMs).json
            fun text(name: String) = json[name] as? String ?: throw notOfTheService()
            text("authUrl") to StoredSignIn(
                text("state"), text("verifier"), text("nonce"), text("redirectUri"), parts.environment.now(),
            )
        }
    }

    /**
     * Completes the sign-in of a callback. Throws FOREIGN_REDIRECT, CANCELLED, SIGN_IN_REFUSED, or the errors of the
     * exchange.
     */
    suspend fun complete(url: String): Session {
        val callback = readCallback(url)
        val signIn = turns.inTurn { take(callback) } ?: return parts.readSession()
        return exchange.of(signIn)
    }

    /**
     * Claims the callback's sign-in, or returns null if its session is stored already: a recreated activity receives
     * the same address again.
     */
    private suspend fun Records.take(callback: Callback): StoredSignIn? {
        if (session()?.state == callback.state) return null
        val signIns = readOpen()
        val ownSignIn = signIns.find { it.state == callback.state && it.redirectUri == callback.address }
            ?: throw foreignRedirect()
        val others = signIns - ownSignIn
        if (callback.error != null) {
            setSignIns(others)
            // RFC 6749, section 4.1.2.1.
            throw ServiceError(if (callback.error == "access_denied") CANCELLED else SIGN_IN_REFUSED)
        }
        if (ownSignIn.code != null && ownSignIn.code != callback.code) throw foreignRedirect()
        // Store the code first: if the app is killed now, its next start sends the same request and gets the same
        // tokens.
        return ownSignIn.copy(code = callback.code).also { setSignIns(listOf(it) + others) }
    }

    /** Returns the sign-ins that can still complete. Only the service knows whether a waiting code is still valid. */
    private suspend fun Records.readOpen(): List<StoredSignIn> {
        val oldestMs = parts.environment.now() - LIFETIME_MS
        return signIns().filter { it.code != null || it.startedAtMs >= oldestMs }
    }
}
