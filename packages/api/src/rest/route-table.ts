/** Endpoints at a path. */
export interface RouteLine<Endpoint> {
  /** Parameters in braces: `/v1/payments/{paymentId}`. */
  readonly path: string;
  /** Where a parameter is not just any text without a slash: the whole path, with named groups. */
  readonly pattern?: RegExp;
  /** One per method. */
  readonly endpoints: readonly Endpoint[];
}

/** The endpoints of a matched path, and what its parameters are, percent-encoded as received. */
export interface FoundRoute<Endpoint> {
  readonly endpoints: readonly Endpoint[];
  readonly params: Readonly<Record<string, string>>;
}

/** Finds the route of a path: paths without parameters first, the others in their order. */
export function routeFinder<Endpoint>(lines: readonly RouteLine<Endpoint>[]): (path: string) => FoundRoute<Endpoint> | null {
  const exact = new Map(lines.filter(({ path }) => !path.includes('{')).map(({ path, endpoints }) => [path, endpoints]));
  const patterns = lines
    .filter(({ path }) => path.includes('{'))
    .map(({ path, pattern, endpoints }) => ({ pattern: pattern ?? patternOf(path), endpoints }));
  return (path) => {
    const endpoints = exact.get(path);
    if (endpoints !== undefined) return { endpoints, params: {} };
    for (const line of patterns) {
      const match = line.pattern.exec(path);
      if (match !== null) return { endpoints: line.endpoints, params: { ...match.groups } };
    }
    return null;
  };
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
}
