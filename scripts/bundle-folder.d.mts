export declare const BUNDLE_PREFIX: string
export declare function bundleFolder(root: string): string
