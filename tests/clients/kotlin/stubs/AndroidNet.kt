/* See AndroidContent.kt. */
@file:Suppress("UNUSED_PARAMETER")

package android.net

class Uri {
    companion object {
        @JvmStatic
        fun parse(text: String): Uri = TODO()
    }
}
