/** Stands in place of an erased text. */
export const ERASED = '[erased]';
/** Stands in place of an erased e-mail address; `.invalid` is never anyone's (RFC 2606). */
export const ERASED_EMAIL = 'erased@customer.invalid';
