/** The model of the bench, by the engine's name and by its name in the catalog. */
export const ENGINE_MODEL = 'Qwen/Qwen3-235B-A22B-Instruct-2507';
export const CATALOG_MODEL = ENGINE_MODEL.toLowerCase();
