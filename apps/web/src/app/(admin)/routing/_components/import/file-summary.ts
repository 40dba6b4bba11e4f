/** A summary of an exported file, computed without the server. */
export type FileSummary =
  | { readonly kind: 'not_json'; readonly message: string }
  | { readonly kind: 'other' }
  | {
      readonly kind: 'rules';
      readonly json: unknown;
      readonly rules: number;
      /** `exported from version 8 of test mode`, or null where the file does not name it. */
      readonly from: string | null;
      /** Labels of accounts that are named anywhere, each once, in order. */
      readonly labels: readonly string[];
    };

/** Summarises a file as far as its format allows; the server validates it. */
export function describeFile(text: string): FileSummary {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return { kind: 'not_json', message: error instanceof Error ? error.message : 'it ends too early' };
  }
  if (!isObject(json) || !isObject(json.ruleSet)) return { kind: 'other' };
  const { rules, defaultOrder } = json.ruleSet;
  const targets = list(rules).flatMap((rule) => (isObject(rule) && isObject(rule.then) ? [rule.then] : []));
  const named = [
    ...targets.flatMap((target) => [
      ...list(target.accounts),
      ...list(target.split).map((share) => (isObject(share) ? share.account : null)),
    ]),
    ...list(defaultOrder),
  ];
  const labels = [...new Set(named.filter((name) => typeof name === 'string'))];
  const { version, mode } = json;
  const from =
    typeof version === 'number' && typeof mode === 'string'
      ? `exported from ${version === 0 ? 'a draft' : `version ${version}`} of ${mode} mode`
      : null;
  return { kind: 'rules', json, rules: list(rules).length, from, labels };
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
