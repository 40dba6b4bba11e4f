import { Fragment, isValidElement, type ReactNode } from 'react';

/** True if a cell says nothing: no content, blanks or a dash, also within plain elements. A component is taken to say something. */
export function isBlank(node: ReactNode): boolean {
  if (node === null || node === undefined || typeof node === 'boolean') return true;
  if (typeof node === 'string') return /^[\s–—-]*$/.test(node);
  if (Array.isArray(node)) return node.every(isBlank);
  if (!isValidElement<{ children?: ReactNode }>(node)) return false;
  return (node.type === Fragment || node.type === 'span' || node.type === 'div') && isBlank(node.props.children);
}
