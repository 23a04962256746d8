/* The records on the device, and the lock under which they are read and written. The lock is not reentrant. */
package subscriptions

import kotlin.coroutines.cancellation.CancellationException
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock

/** A sign-in in progress: its browser is open, or its [code] awaits a response. */
internal data class StoredSignIn(
    val state: String,
    val verifier: String,
    val nonce: String,
    val redirectUri: String,
    /** Epoch milliseconds by the device's clock. */
    val startedAtMs: Long,
    val code: String? = null,
)

/** A sign-out that the service has not confirmed. */
internal data class StoredSignOut(val customerId: Long, val refreshToken: String)

/** The entry of the storage; its name is part of the key. */
internal enum class Kind(val key: String) { SESSION("session"), SIGN_INS("signIns"), SIGN_OUTS("signOuts") }

internal class Turns(private val storage: Storage, private val shop: String) {
    private val mutex = Mutex()

    /**
     * Runs work under the lock, after all earlier work. Throws the work's errors, or STORAGE. The work must not send
     * requests.
     */
    suspend fun <Result> inTurn(work: suspend Records.() -> Result): Result =
        mutex.withLock { Records(storage, shop).work() }
}

/**
 * Null means that nothing is stored, or that it cannot be read: it is truncated, or was encrypted on another phone.
 * Each function throws STORAGE.
 */
internal class Records(private val storage: Storage, private val shop: String) {
    suspend fun session(): StoredSession? = read(Kind.SESSION).asObject()?.toSession()

    /** Whether the service has ended the last session. False while a session is stored. */
    suspend fun isEnded(): Boolean = read(Kind.SESSION).asObject()?.get("endedByService") == true

    /** Stores that the service has ended the session, so that every part of the app reports the same after a restart. */
    suspend fun setEnded() = try {
        write(Kind.SESSION, mapOf("endedByService" to true))
    } catch (_: ServiceError) {
        // A full storage must not preserve tokens that the service refuses.
        write(Kind.SESSION, null)
    }

    suspend fun setSession(session: StoredSession?) = write(Kind.SESSION, session?.toJson())

    suspend fun signIns(): List<StoredSignIn> = list(Kind.SIGN_INS) { it.toSignIn() }

    suspend fun setSignIns(all: List<StoredSignIn>) = write(Kind.SIGN_INS, all.map { it.toJson() }.ifEmpty { null })

    suspend fun signOuts(): List<StoredSignOut> = list(Kind.SIGN_OUTS) { it.toSignOut() }

    suspend fun setSignOuts(all: List<StoredSignOut>) = write(Kind.SIGN_OUTS, all.map { it.toJson() }.ifEmpty { null })

    private suspend fun <Item> list(kind: Kind, toItem: (Map<String, Any?>) -> Item?): List<Item> =
        (read(kind) as? List<*>).orEmpty().mapNotNull { it.asObject()?.let(toItem) }

    private suspend fun read(kind: Kind): Any? {
        val text = guard { storage.get(keyOf(kind)) } ?: return null
        return try {
            Json.parse(text)
        } catch (_: JsonException) {
            null
        }
    }

    private suspend fun write(kind: Kind, value: Any?) = guard {
        if (value == null) storage.remove(keyOf(kind)) else storage.set(keyOf(kind), Json.write(value))
    }

    private fun keyOf(kind: Kind) = "subscriptions.$shop.${kind.key}"

    private suspend fun <Result> guard(work: suspend () -> Result): Result = try {
        work()
    } catch (error: CancellationException) {
        throw error
    } catch (error: Exception) {
        throw ServiceError(STORAGE, error.message ?: STORAGE, cause = error)
    }
}

private fun StoredSession.toJson(): Map<String, Any?> = mapOf(
    "accessToken" to accessToken, "refreshToken" to refreshToken, "customerId" to customerId,
    "receivedAtMs" to receivedAtMs, "lifeMs" to lifetimeMs, "state" to state,
)

private fun Map<String, Any?>.toSession(): StoredSession? = StoredSession(
    accessToken = this["accessToken"] as? String ?: return null,
    refreshToken = this["refreshToken"] as? String ?: return null,
    customerId = this["customerId"] as? Long ?: return null,
    receivedAtMs = this["receivedAtMs"] as? Long ?: return null,
    lifetimeMs = this["lifeMs"] as? Long ?: return null,
    state = this["state"] as? String ?: return null,
)

private fun StoredSignIn.toJson(): Map<String, Any?> = mapOf(
    "state" to state, "verifier" to verifier, "nonce" to nonce, "redirectUri" to redirectUri,
    "startedAtMs" to startedAtMs, "code" to code,
)

private fun Map<String, Any?>.toSignIn(): StoredSignIn? = StoredSignIn(
    state = this["state"] as? String ?: return null,
    verifier = this["verifier"] as? String ?: return null,
    nonce = this["nonce"] as? String ?: return null,
    redirectUri = this["redirectUri"] as? String ?: return null,
    startedAtMs = this["startedAtMs"] as? Long ?: return null,
    code = this["code"] as? String,
)

private fun StoredSignOut.toJson(): Map<String, Any?> = mapOf("customerId" to customerId, "refreshToken" to refreshToken)

private fun Map<String, Any?>.toSignOut(): StoredSignOut? = StoredSignOut(
    customerId = this["customerId"] as? Long ?: return null,
    refreshToken = this["refreshToken"] as? String ?: return null,
)
