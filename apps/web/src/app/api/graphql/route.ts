import { handleGraphql } from '@switchyard/api/graphql';
import { mount } from '../../../mount.ts';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = mount(handleGraphql);
