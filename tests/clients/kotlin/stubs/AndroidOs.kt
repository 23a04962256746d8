/* See AndroidContent.kt. */
package android.os

class Bundle
