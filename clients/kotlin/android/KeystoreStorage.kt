/*
 * The session's storage on Android, encrypted with a key that never leaves the Keystore. The core reports each
 * exception as STORAGE and keeps the session. Exclude the file from backups: they do not contain its key.
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
            // A backup restored the file of another phone. Its key is not on this phone, so there is no session.
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

    /** Creates one key at a time: the data encrypted with the first key could not be decrypted with a second one. */
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
