// Types of gametree for ES modules.
import * as gametree from './index.cjs';

export * from './index.cjs';
export default gametree;
