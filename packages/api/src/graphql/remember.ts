/** Keeps a value in mind under its key. Of more than `most` the one that was put there first is forgotten. */
export function remember<Key, Value>(known: Map<Key, Value>, key: Key, value: Value, most: number): void {
  const [oldest] = known.keys();
  if (known.size >= most && oldest !== undefined && !known.has(key)) known.delete(oldest);
  known.set(key, value);
}
