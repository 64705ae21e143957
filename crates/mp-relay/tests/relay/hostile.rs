//! Bad input over real sockets costs its sender alone.
