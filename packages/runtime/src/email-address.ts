/*
 * E-mail addresses as RFC 5322 section 3.4.1 has them without quotes: atoms with dots between, at most 64 characters (RFC 5321 section 4.5.3.1.1),
 * and a domain of labels of at most 63 characters (RFC 1035 section 2.3.4), the last one of letters or punycode (RFC 5890).
 */

const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\-]+";
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9\\-]{0,61}[A-Za-z0-9])?';
const LAST_LABEL = '(?:[A-Za-z]{2,63}|[xX][nN]--[A-Za-z0-9\\-]{0,58}[A-Za-z0-9])';

/** An e-mail address. */
export const EMAIL_ADDRESS = new RegExp(`^(?=.{1,64}@)${ATOM}(?:\\.${ATOM})*@(?:${LABEL}\\.)+${LAST_LABEL}$`);
