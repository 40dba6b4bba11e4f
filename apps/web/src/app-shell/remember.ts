const YEAR_SECONDS = 31_536_000;

/** Stores a preference in a cookie, so that the server renders the next page with it. */
export function rememberInCookie(name: string, value: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: Cookie Store is not in every browser supported.
  document.cookie = `${name}=${encodeURIComponent(value)}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
}
