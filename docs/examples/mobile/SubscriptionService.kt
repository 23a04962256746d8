import android.content.Context
import android.content.Intent
import android.net.Uri
import android.os.Bundle
import android.security.keystore.KeyGenParameterSpec
import android.security.keystore.KeyProperties
import android.util.Base64
import androidx.activity.ComponentActivity
import androidx.browser.customtabs.CustomTabsIntent
import androidx.core.content.edit
import java.io.IOException
import java.security.KeyStore
import java.time.Instant
import java.util.concurrent.TimeUnit
import javax.crypto.AEADBadTagException
import javax.crypto.Cipher
import javax.crypto.KeyGenerator
import javax.crypto.SecretKey
import javax.crypto.spec.GCMParameterSpec
import kotlin.math.max
import kotlin.math.min
import kotlin.math.pow
import kotlin.random.Random
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.delay
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock
import kotlinx.coroutines.withContext
import kotlinx.serialization.Serializable
import kotlinx.serialization.encodeToString
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import okhttp3.MediaType.Companion.toMediaType
import okhttp3.OkHttpClient
import okhttp3.Request
import okhttp3.RequestBody.Companion.toRequestBody

@Serializable
data class TokenPair(
    val accessToken: String, val refreshToken: String, val customerId: Long, val expiresAt: String,
)

@Serializable
data class Session(val pair: TokenPair, val receivedAtMs: Long)

@Serializable
data class Started(
    val authUrl: String, val verifier: String, val nonce: String, val state: String, val redirectUri: String,
)

@Serializable
data class StartRequest(val shop: String)

@Serializable
data class PendingExchange(val shop: String, val code: String, val verifier: String, val nonce: String)

@Serializable
data class TokenRequest(val shop: String, val customerId: Long, val refreshToken: String)

@Serializable
data class GraphqlRequest(val query: String, val variables: JsonObject)

class ServiceError(val code: String, val status: Int = 0, val retryAfterSeconds: Double = 0.0) : Exception(code) {
    /** The same request may well succeed in a moment. */
    val isPassing: Boolean
        get() {
            val isFinal = code in setOf("STOREFRONT_TOKEN_UNAVAILABLE", "STORE_ACCESS_MISSING", "STORE_DISCONNECTED")
            return !isFinal && (code == "NETWORK" || status == 429 || status >= 500)
        }
}

private const val SESSION = "session"
private const val PENDING_EXCHANGE = "pending-exchange"
private const val PENDING_REVOCATION = "pending-revocation"
private const val GRAPHQL = "/api/storefront/unstable/graphql.json"
private val json = Json { ignoreUnknownKeys = true }

class SubscriptionService(private val serviceUrl: String, private val shop: String, private val storage: SecureStorage) {
    private val client = OkHttpClient.Builder().callTimeout(25, TimeUnit.SECONDS).build()
    private val turns = Mutex()

    suspend fun signIn(context: Context) {
        try {
            signInOnce(context)
        } catch (error: ServiceError) {
            // The code was not taken, or came too late. The customer is usually still signed in at the platform: no form.
            if (error.code != "SIGN_IN_REJECTED" && error.code != "INVALID_NONCE") throw error
            signInOnce(context)
        }
    }

    private suspend fun signInOnce(context: Context) {
        val started = keepTrying { send<StartRequest, Started>("POST", "/headless-auth/start", StartRequest(shop)) }
        val code = readCode(BrowserSession.open(context, started.authUrl), started)
        // Stored first: if the app is killed now, its next start sends the same again and gets the same tokens.
        storage.write(PENDING_EXCHANGE, PendingExchange(shop, code, started.verifier, started.nonce))
        finishExchange()
    }

    /** Call it at every start of the app, too. */
    suspend fun finishExchange() {
        val pending = storage.read<PendingExchange>(PENDING_EXCHANGE) ?: return
        try {
            val pair = keepTrying { send<PendingExchange, TokenPair>("POST", "/headless-auth/exchange", pending) }
            storage.write(SESSION, Session(pair, System.currentTimeMillis()))
            storage.remove(PENDING_EXCHANGE)
        } catch (error: ServiceError) {
            if (!error.isPassing) storage.remove(PENDING_EXCHANGE)
            throw error
        }
    }

    /** Only the registered address with this sign-in's state brings a code (RFC 6749, section 10.12). */
    private fun readCode(callback: Uri, started: Started): String {
        val isOurs = callback.toString().substringBefore('?') == started.redirectUri
        if (!isOurs || callback.getQueryParameter("state") != started.state) throw ServiceError("FOREIGN_REDIRECT")
        return callback.getQueryParameter("code")
            ?: throw ServiceError(callback.getQueryParameter("error") ?: "CANCELLED")
    }

    /** A token that is still good. Throws SIGNED_OUT when the sign-in is over, and only then. */
    private suspend fun freshAccessToken(refused: String? = null): String = turns.withLock {
        // Read under the lock, just before it is used: whoever came before may have stored a newer pair.
        val session = storage.read<Session>(SESSION) ?: throw ServiceError("SIGNED_OUT")
        val held = session.pair.accessToken
        if (isYoung(session) && held != refused) held else refresh(session.pair)
    }

    private fun isYoung(session: Session): Boolean {
        val now = System.currentTimeMillis()
        val endsAtMs = Instant.parse(session.pair.expiresAt).toEpochMilli()
        return now < endsAtMs - 120_000 || now - session.receivedAtMs < 300_000
    }

    private suspend fun refresh(pair: TokenPair): String {
        val body = TokenRequest(shop, pair.customerId, pair.refreshToken)
        try {
            val next = send<TokenRequest, TokenPair>("POST", "/headless-auth/refresh", body)
            // Stored before its first use.
            storage.write(SESSION, Session(next, System.currentTimeMillis()))
            return next.accessToken
        } catch (error: ServiceError) {
            if (error.code != "INVALID_REFRESH_TOKEN" && error.code != "TOKEN_NOT_FOUND") throw error
            storage.remove(SESSION)
            throw ServiceError("SIGNED_OUT")
        }
    }

    /**
     * One GraphQL operation, its whole answer. Look at `errors` and `userErrors` before you take a change for done.
     * With [isChange], only what certainly did not run is sent again.
     */
    suspend fun ask(request: GraphqlRequest, isChange: Boolean): JsonObject = keepTrying(isChange) {
        val token = freshAccessToken()
        try {
            send<GraphqlRequest, JsonObject>("POST", GRAPHQL, request, token)
        } catch (error: ServiceError) {
            // The service's clock decides, not this device's: one refresh, one repeat.
            if (error.code != "UNAUTHENTICATED") throw error
            send<GraphqlRequest, JsonObject>("POST", GRAPHQL, request, freshAccessToken(refused = token))
        }
    }

    /** The customer is signed out at once; the service is told as soon as it can be reached. */
    suspend fun signOut() {
        turns.withLock {
            val pair = storage.read<Session>(SESSION)?.pair ?: return@withLock
            storage.write(PENDING_REVOCATION, TokenRequest(shop, pair.customerId, pair.refreshToken))
            storage.remove(SESSION)
        }
        finishRevocation()
    }

    /** Call it at every start of the app, too. */
    suspend fun finishRevocation() {
        val pending = storage.read<TokenRequest>(PENDING_REVOCATION) ?: return
        try {
            keepTrying { send<TokenRequest, JsonObject>("DELETE", "/headless-auth/revoke", pending) }
        } catch (error: ServiceError) {
            if (error.isPassing) return
        }
        storage.remove(PENDING_REVOCATION)
    }

    private suspend inline fun <reified Body, reified Answer> send(
        method: String, path: String, body: Body, accessToken: String? = null,
    ): Answer {
        val content = json.encodeToString(body).toRequestBody("application/json".toMediaType())
        val request = Request.Builder().url(serviceUrl + path).method(method, content)
        if (accessToken != null) request.header("Authorization", "Bearer $accessToken")
        val (status, retryAfter, text) = execute(request.build())
        try {
            // What is cut short is no JSON: as if no answer had come.
            if (status == 200) return json.decodeFromString<Answer>(text)
            val answer = json.parseToJsonElement(text).jsonObject
            val code = answer["error"]?.jsonObject?.get("code")
                ?: answer["errors"]?.jsonArray?.firstOrNull()?.jsonObject?.get("extensions")?.jsonObject?.get("code")
            throw ServiceError(code?.jsonPrimitive?.content ?: "UNKNOWN", status, retryAfter)
        } catch (error: IllegalArgumentException) {
            throw if (status == 200) ServiceError("NETWORK") else ServiceError("UNKNOWN", status, retryAfter)
        }
    }

    private suspend fun execute(request: Request): Triple<Int, Double, String> = withContext(Dispatchers.IO) {
        try {
            client.newCall(request).execute().use {
                Triple(it.code, it.header("Retry-After")?.toDoubleOrNull() ?: 0.0, it.body?.string().orEmpty())
            }
        } catch (error: IOException) {
            throw ServiceError("NETWORK")
        }
    }

    private suspend fun <Answer> keepTrying(isChange: Boolean = false, request: suspend () -> Answer): Answer {
        var tries = 1
        while (true) {
            try {
                return request()
            } catch (error: ServiceError) {
                val didNotRun = error.status == 429 || error.status == 503
                if (!error.isPassing || (isChange && !didNotRun) || tries == 5) throw error
                val backOff = min(2.0.pow(tries - 1) * Random.nextDouble(0.75, 1.25), 8.0)
                delay((max(error.retryAfterSeconds, backOff) * 1000).toLong())
                tries++
            }
        }
    }
}

/** Custom Tabs. The activity of the intent filter brings the answer; closing the tab brings none. */
object BrowserSession {
    private var waiting: CompletableDeferred<Uri>? = null

    suspend fun open(context: Context, authUrl: String): Uri {
        waiting?.completeExceptionally(ServiceError("CANCELLED"))
        val answer = CompletableDeferred<Uri>().also { waiting = it }
        CustomTabsIntent.Builder().build().launchUrl(context, Uri.parse(authUrl))
        return answer.await()
    }

    fun finish(callback: Uri?) {
        if (callback != null) waiting?.complete(callback)
        else waiting?.completeExceptionally(ServiceError("CANCELLED"))
        waiting = null
    }
}

class CallbackActivity : ComponentActivity() {
    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        BrowserSession.finish(intent.data)
        // Leads back to the app and closes the tab above it.
        packageManager.getLaunchIntentForPackage(packageName)
            ?.addFlags(Intent.FLAG_ACTIVITY_CLEAR_TOP)
            ?.let(::startActivity)
        finish()
    }
}

/** Sealed with a key that never leaves the Keystore. Exclude the file from backups: the key is not in them. */
class SecureStorage(context: Context) {
    private val preferences = context.getSharedPreferences("subscriptions", Context.MODE_PRIVATE)

    inline fun <reified Value> read(key: String): Value? = open(key)?.let { Json.decodeFromString<Value>(it) }

    inline fun <reified Value> write(key: String, value: Value) = seal(key, Json.encodeToString(value))

    fun remove(key: String) = preferences.edit(commit = true) { remove(key) }

    @PublishedApi
    internal fun open(key: String): String? {
        val box = Base64.decode(preferences.getString(key, null) ?: return null, Base64.NO_WRAP)
        val cipher = Cipher.getInstance(TRANSFORMATION)
        cipher.init(Cipher.DECRYPT_MODE, secretKey(), GCMParameterSpec(128, box, 0, IV_BYTES))
        cipher.updateAAD(key.encodeToByteArray())
        return try {
            cipher.doFinal(box, IV_BYTES, box.size - IV_BYTES).decodeToString()
        } catch (error: AEADBadTagException) {
            // Sealed on another phone, and brought here by a backup: nobody is signed in on this one.
            remove(key)
            null
        }
    }

    @PublishedApi
    internal fun seal(key: String, text: String) {
        val cipher = Cipher.getInstance(TRANSFORMATION)
        cipher.init(Cipher.ENCRYPT_MODE, secretKey())
        cipher.updateAAD(key.encodeToByteArray())
        val box = cipher.iv + cipher.doFinal(text.encodeToByteArray())
        // Committed, not applied: the pair has to be stored before its first use.
        preferences.edit(commit = true) { putString(key, Base64.encodeToString(box, Base64.NO_WRAP)) }
    }

    private fun secretKey(): SecretKey {
        val store = KeyStore.getInstance(KEYSTORE).apply { load(null) }
        (store.getKey(ALIAS, null) as? SecretKey)?.let { return it }
        val purposes = KeyProperties.PURPOSE_ENCRYPT or KeyProperties.PURPOSE_DECRYPT
        val spec = KeyGenParameterSpec.Builder(ALIAS, purposes)
            .setBlockModes(KeyProperties.BLOCK_MODE_GCM)
            .setEncryptionPaddings(KeyProperties.ENCRYPTION_PADDING_NONE)
            .setKeySize(256)
            .build()
        return KeyGenerator.getInstance(KeyProperties.KEY_ALGORITHM_AES, KEYSTORE).apply { init(spec) }.generateKey()
    }

    private companion object {
        const val KEYSTORE = "AndroidKeyStore"
        const val ALIAS = "subscriptions"
        const val TRANSFORMATION = "AES/GCM/NoPadding"
        const val IV_BYTES = 12
    }
}
