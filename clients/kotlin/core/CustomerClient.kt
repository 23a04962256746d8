/*
 * The client of a customer's app: sign-in, refresh, requests. One for the whole app: it refreshes tokens for all who ask. The
 * same states, names and codes as clients/typescript.
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
    /** Of messages: a tag such as `de` or `pt-BR`, asked each time. */
    val language: () -> String? = { null },
    /** For all tries and waits of one call. */
    val deadlineMs: Long = 60_000,
    /** Told the error while a repeat is pending, and null when it is over: for a line such as “Trying again …”. */
    val onWaiting: (ServiceError?) -> Unit = {},
    val environment: Environment = Environment(),
    /** Where refreshes and sign-outs go on when the screen that asked for them is gone. */
    val scope: CoroutineScope = CoroutineScope(SupervisorJob() + Dispatchers.Default),
)

/** What could not be answered; `data` has null there, or further up. */
data class FieldError(val code: String, val message: String, val path: List<Any?>)

/** A change whose payload came without `userErrors` was made, whatever [errors] say of what is below it. */
data class RequestResult(val data: Map<String, Any?>, val errors: List<FieldError>)

private const val GRAPHQL = "/api/storefront/unstable/graphql.json"

/** Throws IllegalArgumentException for an address that can be none. */
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

    /** Who is signed in. Throws STORAGE if the storage does not tell. */
    suspend fun session(): Session = parts.readSession()

    /** Calls with the current state, then with each change after it is stored, off the main thread. The result ends it. */
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

    /** Opens the browser. The session afterwards: signed out means that the answer may still come, to [completeSignIn]. */
    suspend fun signIn(): Session = signIn.begin()

    /** Takes the address that the browser came back to, also after a cold start, and more than once. */
    suspend fun completeSignIn(url: String): Session = signIn.complete(url)

    /** Signed out at once; the service is told as soon as it can be reached. */
    suspend fun signOut() = signOut.end()

    /** Ends a sign-in or a sign-out whose answer never came. [onSession] does it once; call it when the device is online again. */
    suspend fun resume(): Session {
        // What cannot be sent now is sent the next time; what is refused is over.
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
     * Sends one GraphQL operation. Throws ServiceError if nothing came. A query is repeated, and so is a change that has a key:
     * the variable of `@idempotent(key: $…)` is filled in for each call, or is [idempotencyKey].
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
        // One that was not sent, because its token could not be refreshed, has not run.
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
                // The service's clock decides, not this device's: one refresh, one repeat.
                if (!error.hasCode("UNAUTHENTICATED")) throw error
                isSent = false
                send(freshToken.get(refused = token))
            }
        }
    }
}

/** One for the variable of `@idempotent`; if a document has several, each has its own. */
private fun keysOf(operation: Operation, key: String): Map<String, String> =
    operation.keyVariables.withIndex().associate { (index, name) -> name to if (index == 0) key else "$key.$name" }

private fun toResult(answer: Map<String, Any?>): RequestResult {
    val data = answer["data"].asObject()
    val errors = (answer["errors"] as? List<*>).orEmpty().map { it.asObject().orEmpty() }
    val first = errors.firstOrNull()
    // Some portals answer with JSON of their own.
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
