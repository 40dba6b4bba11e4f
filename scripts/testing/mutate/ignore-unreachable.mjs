/** Leaves out what no program reaches: the `default` of a switch over all members of a union. */
export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'unreachable',
    value: {
      /** @param {{ node: { type: string, test?: unknown, consequent?: unknown } }} path */
      shouldIgnore({ node }) {
        const isDefault = node.type === 'SwitchCase' && node.test === null;
        return isDefault && JSON.stringify(node.consequent).includes('"TSNeverKeyword"') ? 'unreachable' : undefined;
      },
    },
  },
];
