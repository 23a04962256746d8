/*
 * Where a session is kept on Android: sealed with a key that never leaves the Keystore. What fails is thrown, and the core
 * tells it as STORAGE; it signs nobody out. Exclude the file from backups: the key that opens it is not in them.
 */
package subscriptions.android

import android.content.Context
import android.content.SharedPreferences
import android.security.keystore.KeyGenParameterSpec
import android.security.keystore.KeyProperties
import android.util.Base64
import java.io.IOException
import java.security.KeyStore
import javax.crypto.AEADBadTagException
import javax.crypto.Cipher
import javax.crypto.KeyGenerator
import javax.crypto.SecretKey
import javax.crypto.spec.GCMParameterSpec
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext
import subscriptions.Storage

private const val FILE = "subscriptions"
private const val KEYSTORE = "AndroidKeyStore"
private const val TRANSFORMATION = "AES/GCM/NoPadding"
private const val IV_BYTES = 12
private const val TAG_BITS = 128

class KeystoreStorage(context: Context) : Storage {
    private val preferences = context.getSharedPreferences(FILE, Context.MODE_PRIVATE)

    override suspend fun get(key: String): String? = withContext(Dispatchers.IO) {
        val sealed = preferences.getString(key, null) ?: return@withContext null
        val box = Base64.decode(sealed, Base64.NO_WRAP)
        val cipher = Cipher.getInstance(TRANSFORMATION)
        cipher.init(Cipher.DECRYPT_MODE, secretKey(), GCMParameterSpec(TAG_BITS, box, 0, IV_BYTES))
        cipher.updateAAD(key.encodeToByteArray())
        try {
            cipher.doFinal(box, IV_BYTES, box.size - IV_BYTES).decodeToString()
        } catch (_: AEADBadTagException) {
            // Sealed on another phone, and brought here by a backup: nobody is signed in on this one.
            null
        }
    }

    override suspend fun set(key: String, text: String) = withContext(Dispatchers.IO) {
        val cipher = Cipher.getInstance(TRANSFORMATION)
        cipher.init(Cipher.ENCRYPT_MODE, secretKey())
        cipher.updateAAD(key.encodeToByteArray())
        val box = cipher.iv + cipher.doFinal(text.encodeToByteArray())
        save { putString(key, Base64.encodeToString(box, Base64.NO_WRAP)) }
    }

    override suspend fun remove(key: String) = withContext(Dispatchers.IO) { save { remove(key) } }

    /** Committed, not applied: a pair has to be stored before its first use. */
    private fun save(change: SharedPreferences.Editor.() -> Unit) {
        if (!preferences.edit().apply(change).commit()) throw IOException("The device did not store it.")
    }

    /** One at a time: a second key made at once would lock what the first has sealed. */
    private fun secretKey(): SecretKey = synchronized(KeystoreStorage::class.java) {
        val store = KeyStore.getInstance(KEYSTORE).apply { load(null) }
        (store.getKey(FILE, null) as? SecretKey)?.let { return@synchronized it }
        val purposes = KeyProperties.PURPOSE_ENCRYPT or KeyProperties.PURPOSE_DECRYPT
        val spec = KeyGenParameterSpec.Builder(FILE, purposes)
            .setBlockModes(KeyProperties.BLOCK_MODE_GCM)
            .setEncryptionPaddings(KeyProperties.ENCRYPTION_PADDING_NONE)
            .setKeySize(256)
            .build()
        KeyGenerator.getInstance(KeyProperties.KEY_ALGORITHM_AES, KEYSTORE).apply { init(spec) }.generateKey()
    }
}
