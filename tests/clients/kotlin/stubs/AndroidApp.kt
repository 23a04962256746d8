/* See AndroidContent.kt: as much as the quickstart of docs/mobile.md uses. */
@file:Suppress("UNUSED_PARAMETER")

package android.app

import android.content.Context
import android.content.Intent
import android.os.Bundle
import android.view.View

open class Application : Context()

open class Activity : Context() {
    val application: Application get() = TODO()
    val intent: Intent get() = TODO()

    protected open fun onCreate(savedInstanceState: Bundle?): Unit = TODO()
    protected open fun onNewIntent(intent: Intent): Unit = TODO()
    open fun setContentView(view: View): Unit = TODO()
}
