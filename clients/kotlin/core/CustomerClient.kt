/*
 * The client of a customer's app: sign-in, refresh, requests. Create one for the whole app: it shares its token
 * refreshes. It has the states, names and codes of clients/typescript.
 */
package subscriptions

import java.util.concurrent.atomic.AtomicBoolean
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.launch

class CustomerClientOptions(
    /** The address of the service, such as `https://subscriptions.example.com`. */
    val serviceUrl: String,
    /** The store's domain. */
    val shop: String,
    val storage: Storage,
    val openBrowser: OpenBrowser,
    /** The language of messages, a tag such as `de` or `pt-BR`. Called for each request. */
    val language: () -> String? = { null },
    /** The time limit of one call with all its attempts and waits. */
    val deadlineMs: Long = 60_000,
    /**
     * Receives the error while a retry is pending, and null when the wait is over: for a line such as “Trying again …”.
     */
    val onWaiting: (ServiceError?) -> Unit = {},
    val environment: Environment = Environment(),
    /** The scope of refreshes and sign-outs, which continue after the screen that started them is destroyed. */
    val scope: CoroutineScope = CoroutineScope(SupervisorJob() + Dispatchers.Default),
)

/** A field that could not be resolved; in `data` the field or an ancestor of it is null. */
data class FieldError(val code: String, val message: String, val path: List<Any?>)

/** A change was made if its payload has no `userErrors`, even if [errors] contain errors of fields below it. */
data class RequestResult(val data: Map<String, Any?>, val errors: List<FieldError>)

private const val GRAPHQL = "/api/storefront/unstable/graphql.json"

/** Throws IllegalArgumentException for an invalid URL. */
class CustomerClient(options: CustomerClientOptions) {
    init {
        require(Regex("^https?://", RegexOption.IGNORE_CASE).containsMatchIn(options.serviceUrl)) {
            "There is no serviceUrl with http(s)://."
        }
    }

    private val environment = options.environment
    private val calls = ServiceCalls(options.serviceUrl, options.language, options.onWaiting, environment)
    private val announcer = Announcer(options.scope)
    private val parts = Parts(
        options.shop, Turns(options.storage, options.shop), calls, options.openBrowser, announcer, environment,
        options.deadlineMs, options.scope,
    )
    private val exchange = Exchange(parts)
    private val signIn = SignIn(parts, exchange)
    private val signOut = SignOut(parts)
    private val freshToken = FreshToken(parts)
    private val hasResumed = AtomicBoolean()

    /** Returns the current session. Throws STORAGE if the storage cannot be read. */
    suspend fun session(): Session = parts.readSession()

    /**
     * Calls the listener with the current session, then with each stored change, off the main thread, until the
     * returned function is called.
     */
    fun onSession(listener: (Session) -> Unit): () -> Unit {
        val end = announcer.listen(::sessionOrUnknown, listener)
        if (hasResumed.compareAndSet(false, true)) parts.scope.launch { runCatching { resume() } }
        return end
    }

    private suspend fun sessionOrUnknown(): Session = try {
        session()
    } catch (error: ServiceError) {
        Session.Unknown(error)
    }

    /**
     * Opens the browser and returns the resulting session. If it is signed out, the address may still arrive: pass it
     * to [completeSignIn].
     */
    suspend fun signIn(): Session = signIn.begin()

    /** Completes the sign-in with its redirect address. Works after a cold start, and can be called more than once. */
    suspend fun completeSignIn(url: String): Session = signIn.complete(url)

    /** Signs out immediately on the device, and at the service as soon as it is reachable. */
    suspend fun signOut() = signOut.end()

    /**
     * Completes a sign-in or a sign-out whose response was lost. [onSession] calls it once; call it when the device is
     * online again.
     */
    suspend fun resume(): Session {
        // The next call retries transient errors. Permanent ones need no retry.
        passOver { exchange.newestWaiting()?.let { exchange.of(it) } }
        passOver { signOut.sendAll() }
        return session()
    }

    private suspend fun passOver(work: suspend () -> Unit) {
        try {
            work()
        } catch (error: ServiceError) {
            if (error.hasCode(STORAGE)) throw error
        }
    }

    /**
     * Sends one GraphQL operation. Throws ServiceError if the response has no data. Retries queries, and changes with
     * an idempotency key: the client sets the variable of `@idempotent(key: $…)` for each call, or [idempotencyKey]
     * does.
     */
    suspend fun request(
        document: String,
        variables: Map<String, Any?> = emptyMap(),
        operationName: String? = null,
        idempotencyKey: String? = null,
    ): RequestResult {
        val endsAtMs = parts.endsAtMs()
        val operation = readOperation(document, operationName)
        require(idempotencyKey == null || operation.keyVariables.isNotEmpty()) {
            "A key needs its place in the document: @idempotent(key: \$key)."
        }
        val keys = keysOf(operation, idempotencyKey ?: environment.createKey())
        val body = buildMap {
            put("query", document)
            put("variables", keys + variables)
            if (operationName != null) put("operationName", operationName)
        }
        // A request that was not sent, because the token could not be refreshed, has not run.
        var isSent = false
        suspend fun send(token: String): RequestResult {
            isSent = true
            return toResult(calls.send(Call(GRAPHQL, body, accessToken = token), endsAtMs).json)
        }
        val attempt = Attempt({ operation.isRetryable || !isSent }, { operation.isChange && isSent })
        return calls.keepTrying(endsAtMs, attempt) {
            isSent = false
            val token = freshToken.get()
            try {
                send(token)
            } catch (error: ServiceError) {
                // The service's clock decides whether the token has expired: refresh once and retry once.
                if (!error.hasCode("UNAUTHENTICATED")) throw error
                isSent = false
                send(freshToken.get(refused = token))
            }
        }
    }
}

/** Returns a key for each variable of `@idempotent`. Several variables get different keys. */
private fun keysOf(operation: Operation, key: String): Map<String, String> =
    operation.keyVariables.withIndex().associate { (index, name) -> name to if (index == 0) key else "$key.$name" }

private fun toResult(answer: Map<String, Any?>): RequestResult {
    val data = answer["data"].asObject()
    val errors = (answer["errors"] as? List<*>).orEmpty().map { it.asObject().orEmpty() }
    val first = errors.firstOrNull()
    // Some captive portals respond with JSON.
    if (first == null && data == null) throw notOfTheService()
    if (first != null && data.orEmpty().values.all { it == null }) throw first.toServiceError()
    return RequestResult(data.orEmpty(), errors.map { FieldError(it.code, it.message, it["path"] as? List<*> ?: emptyList<Any?>()) })
}

private val Map<String, Any?>.code get() = this["extensions"].asObject()?.get("code") as? String ?: UNKNOWN
private val Map<String, Any?>.message get() = this["message"] as? String ?: code

private fun Map<String, Any?>.toServiceError(): ServiceError {
    val seconds = this["extensions"].asObject()?.get("retryAfterSeconds") as? Number
    return ServiceError(code, message, status = 200, retryAfterMs = seconds?.let { (it.toDouble() * 1_000).toLong() })
}
