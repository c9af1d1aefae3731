/* The version of the compiled parts. Raise it together with VERSION in telusur/compiled.py whenever C and Python have
   to fit each other anew. */
#ifndef TELUSUR_VERSION_H
#define TELUSUR_VERSION_H

enum { NATIVE_VERSION = 10 };

#endif
