/** Holds the language of samples that a reader chose. */
export const LANGUAGE_COOKIE = 'docs-language';
