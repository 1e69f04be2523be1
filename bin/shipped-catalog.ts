/** The path of the catalog that Penstock ships. */
import { fileURLToPath } from 'node:url';

export const SHIPPED_CATALOG = fileURLToPath(new URL('../configs/catalog.yaml', import.meta.url));
