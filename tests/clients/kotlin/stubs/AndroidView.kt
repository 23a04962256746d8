/* See AndroidContent.kt. */
@file:Suppress("UNUSED_PARAMETER")

package android.view

open class View {
    fun interface OnClickListener {
        fun onClick(view: View)
    }

    fun setOnClickListener(listener: OnClickListener?): Unit = TODO()
}
