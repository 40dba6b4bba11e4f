/* Work of staff and their programs at the end of some worlds. Bundled with the edits of a mutation, as the product's processes are. */

export { eraseOne, exportLists } from './staff-work.ts';
export { tryAsStaff } from './try-as-staff.ts';
