/* See AndroidContent.kt. */
@file:Suppress("UNUSED_PARAMETER")

package android.util

object Base64 {
    const val NO_WRAP = 2

    @JvmStatic
    fun decode(text: String, flags: Int): ByteArray = TODO()

    @JvmStatic
    fun encodeToString(bytes: ByteArray, flags: Int): String = TODO()
}
