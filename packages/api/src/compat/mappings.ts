/** What of each dialect is answered, refused or different: plain data, for documentation. */
export { MAPPINGS, type Mappings } from '@switchyard/compat/mappings';
