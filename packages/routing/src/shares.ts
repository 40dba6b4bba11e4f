/** Fewer payments or checkouts than this make no percentage: their counts are shown. */
export const SHARE_FROM = 20;
