// Asks with a client whose types were made from /openapi.json. A misspelt path, parameter or member
// would not compile.
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

const [service = "", url = ""] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl: service });

const byGet = await client.GET("/v1/decide", { params: { query: { url, agent: "ExampleBot" } } });
console.log(byGet.data?.usages.crawl.outcome);

const request: components["schemas"]["Request"] = { url, agent: "ExampleBot" };
const byPost = await client.POST("/v1/decide", { body: request });
console.log(byPost.data?.usages.crawl.outcome);

const wrong = await client.POST("/v1/decide", { body: { url: "/x", agent: "ExampleBot", robots: "" } });
console.log(wrong.error?.code, wrong.error?.member);
