import fc from 'fast-check';

/** That a property fails is enough to notice a bug: the smallest case would take as long as a minute to find. */
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });
