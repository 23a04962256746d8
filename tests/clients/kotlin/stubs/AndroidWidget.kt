/* See AndroidContent.kt. */
@file:Suppress("UNUSED_PARAMETER")

package android.widget

import android.content.Context
import android.view.View

open class TextView(context: Context) : View() {
    var text: CharSequence?
        get() = TODO()
        set(text) = TODO()
}

class Button(context: Context) : TextView(context)
