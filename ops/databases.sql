-- A database for each process with a store of its own (compose.cluster.yaml).
CREATE DATABASE feed;
CREATE DATABASE bot_a;
CREATE DATABASE bot_b;
