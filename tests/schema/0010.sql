-- A database as askuser 0.1.0 wrote it (schema 10). Never changed.
PRAGMA foreign_keys = OFF;
PRAGMA application_id = 1095977813;
BEGIN TRANSACTION;
CREATE TABLE answer_link (
    n INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    ask BLOB NOT NULL,
    user INTEGER NOT NULL REFERENCES user (n),
    channel TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at INTEGER
) STRICT;
CREATE TABLE ask (
    n INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    session INTEGER NOT NULL REFERENCES session (n),
    owner TEXT NOT NULL,
    round INTEGER NOT NULL,
    depth INTEGER NOT NULL,
    -- 0 open, 1 ended and not handed over yet, 2 handed over (or never to be).
    standing INTEGER NOT NULL CHECK (standing IN (0, 1, 2)),
    state TEXT NOT NULL,
    deadline INTEGER,
    idempotency_key TEXT,
    -- The number of the fact that ended it.
    closed INTEGER,
    outcome TEXT,
    sheet TEXT,
    late TEXT,
    dropped TEXT
, erased_at INTEGER, people TEXT) STRICT;
INSERT INTO "ask" VALUES(1,X'01A1E73F8C6D7000B3B613ADB45D3013',1,'local',1,1,1,'closed',NULL,NULL,4,'{"ending":{"answered":"person"},"by":{"user":"local","channel":"api","proof":"key_file"},"at":1794881064213,"answers":[{"question":"q1","picked":["a"]}]}',NULL,NULL,NULL,NULL,NULL);
INSERT INTO "ask" VALUES(2,X'01A1E73F8D2670008D58D965C249C20F',1,'local',2,1,1,'closed',NULL,NULL,7,'{"ending":"declined","by":{"user":"local","channel":"api","proof":"key_file"},"at":1794881064447,"comment":"not now","answers":[{"question":"q2","skipped":true}]}',NULL,NULL,NULL,NULL,NULL);
INSERT INTO "ask" VALUES(3,X'01A1E73F8E177000BE5F56CA757F9703',1,'local',3,1,2,'completed',1794881065471,NULL,10,'{"ending":{"expired":{"told_as":"timeout","abort":false}},"by":{"channel":"server","proof":"server"},"at":1794881065472,"answers":[{"question":"q3","skipped":true}]}',NULL,NULL,NULL,NULL,NULL);
INSERT INTO "ask" VALUES(4,X'01A1E73F92147000A5C594BC4F001D39',2,'local',1,1,0,'showing',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO "ask" VALUES(5,X'01A1E73F92267000A4FFDEC0A97356D0',1,'local',4,1,0,'showing',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE ask_body (
    n INTEGER PRIMARY KEY,
    body TEXT NOT NULL
) STRICT;
INSERT INTO "ask_body" VALUES(1,'{"session":"ses_01M7KKZ33DE00RE6RH4G4M65PT","ask":"ask_01M7KKZ33DE00B7DGKNPT5TC0K","owner":"local","round":1,"depth":1,"questions":[{"id":"q1","named_by":"asker","header":"q1","text":"q1?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","reply_in":"full"},"fingerprint":"1ee8a8921906f20daf7519783179d978","asked_at":1794881064045,"state":"pending"}');
INSERT INTO "ask_body" VALUES(2,'{"session":"ses_01M7KKZ33DE00RE6RH4G4M65PT","ask":"ask_01M7KKZ396E008TP6SCQ14KGGF","owner":"local","round":2,"depth":1,"questions":[{"id":"q2","named_by":"asker","header":"q2","text":"q2?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","reply_in":"full"},"fingerprint":"62b0e06ba2b57a0059fafafc143eb32d","asked_at":1794881064230,"state":"pending"}');
INSERT INTO "ask_body" VALUES(3,'{"session":"ses_01M7KKZ33DE00RE6RH4G4M65PT","ask":"ask_01M7KKZ3GQE00BWQTPS9TQZ5R3","owner":"local","round":3,"depth":1,"questions":[{"id":"q3","named_by":"asker","header":"q3","text":"q3?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","timeout":[1,0],"reply_in":"full"},"fingerprint":"1b3de9c6e16293ad210aa578b796a495","asked_at":1794881064471,"deadline":1794881065471,"state":"pending"}');
INSERT INTO "ask_body" VALUES(4,'{"session":"ses_01M7KKZ4GME00RDVM10S1QJWSW","ask":"ask_01M7KKZ4GME00ABHCMQH7G079S","owner":"local","round":1,"depth":1,"questions":[{"id":"q1","named_by":"asker","header":"q1","text":"q1?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","reply_in":"full"},"fingerprint":"1ee8a8921906f20daf7519783179d978","asked_at":1794881065492,"state":"pending","reopens":"ask_01M7KKZ33DE00B7DGKNPT5TC0K"}');
INSERT INTO "ask_body" VALUES(5,'{"session":"ses_01M7KKZ33DE00RE6RH4G4M65PT","ask":"ask_01M7KKZ4H6E00A9ZYYR2MQ6NPG","owner":"local","round":4,"depth":1,"questions":[{"id":"q5","named_by":"asker","header":"q5","text":"q5?","kind":"one_of","choices":[{"id":"a","label":"A"},{"id":"b","label":"B"}],"free":{"chars_min":1,"chars_max":1000},"required":true}],"terms":{"project":"srv","folder":"/srv","session":"conversation","reply_in":"full"},"fingerprint":"b810e0db75629152e4949a7258948671","asked_at":1794881065510,"state":"pending"}');
CREATE TABLE ask_question (
    session INTEGER NOT NULL,
    question TEXT NOT NULL,
    ask INTEGER NOT NULL,
    PRIMARY KEY (session, question, ask)
) STRICT, WITHOUT ROWID;
INSERT INTO "ask_question" VALUES(1,'q1',1);
INSERT INTO "ask_question" VALUES(1,'q2',2);
INSERT INTO "ask_question" VALUES(1,'q3',3);
INSERT INTO "ask_question" VALUES(1,'q5',5);
INSERT INTO "ask_question" VALUES(2,'q1',4);
CREATE TABLE browser (
    n INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    user INTEGER NOT NULL REFERENCES user (n),
    endpoint TEXT NOT NULL,
    key BLOB NOT NULL,
    auth BLOB NOT NULL,
    language TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT;
CREATE TABLE cookie (
    n INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    user INTEGER NOT NULL REFERENCES user (n),
    expires_at INTEGER NOT NULL
) STRICT;
CREATE TABLE "fact" (
    number INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    session INTEGER NOT NULL,
    -- The fact before it in its session; none for the first.
    before INTEGER,
    ask INTEGER,
    salt BLOB,
    digest BLOB NOT NULL,
    hash BLOB NOT NULL,
    -- None for `asked`: it is the ask's body.
    payload TEXT
) STRICT;
INSERT INTO "fact" VALUES(1,1794881064045,'session_opened',1,NULL,NULL,X'D438E8661634426FC5356F2AC6B2E08B',X'846DA083CF0011800599D9642B679C14B5B3D6BFCEE87DA60F7C70F8CED647E6',X'6DFE8AB9B2B370FC7413FC470B07A3CF0FC0157DF3FE3F6003A87D91FE0B89F3','{"session":"ses_01M7KKZ33DE00RE6RH4G4M65PT","owner":"local","external_id":"conversation","origin":"named","status":"active","round":0,"created_at":1794881064045,"last_activity":1794881064045}');
INSERT INTO "fact" VALUES(2,1794881064045,'asked',1,1,1,X'2701634FB68D4229D3D373E502F662FD',X'75C01BFFE3FA060D07769EF6531A8DADAACA30D940095A631263E6A28FBCBA03',X'0B1EBE081F881F0D4165EBF190044A87798070813A3AF6F6EEA49D3413448C9D',NULL);
INSERT INTO "fact" VALUES(3,1794881064045,'shown',1,2,1,X'B505ACD165BD7E6FD5AB137B58CCCF69',X'7AEE8035FD26FB234735DD5BA60199B7B43F57492F596897A8B7AFE38205A1F0',X'187959613A1B44853A9BDCD7DDD29F4EEEF829A90FA7749068BE5F249ACD78B2','{"session":"ses_01M7KKZ33DE00RE6RH4G4M65PT","ask":"ask_01M7KKZ33DE00B7DGKNPT5TC0K"}');
INSERT INTO "fact" VALUES(4,1794881064213,'closed',1,3,1,X'A9D3BE38225D6C904ACE56C12BB2AA91',X'7007D335A698270453A6EA0833B8AD46DB710BBF2AB08D533657E345211F5E63',X'2FD4119A730F7FFC2EA68C040B7610A4F239A100DE68E99B8F62C480A1E77A3F','{"session":"ses_01M7KKZ33DE00RE6RH4G4M65PT","ask":"ask_01M7KKZ33DE00B7DGKNPT5TC0K","outcome":{"ending":{"answered":"person"},"by":{"user":"local","channel":"api","proof":"key_file"},"at":1794881064213,"answers":[{"question":"q1","picked":["a"]}]},"from":"127.0.0.1"}');
INSERT INTO "fact" VALUES(5,1794881064230,'asked',1,4,2,X'211E926AFDBE9658DDB2B9E4075D4605',X'C5496618FEFE2150C010E40CD33AE317011CB6B83CAA63B03952B9780C47E371',X'BA1793A2EA9FE674A0294113BCAB87B1E342EE49972C772C1CB097CED8283590',NULL);
INSERT INTO "fact" VALUES(6,1794881064230,'shown',1,5,2,X'D400656365DBCB63604750BC76DCC981',X'4341A1ACD145FCEC1DFFC51E91EE4E121A9239372CBDB3D3A8AE1D0FE849546E',X'FD8DAD85DA1EB423EB1C4DA1131DA4A3DD1B3AFC515E0F77FD5326721AF887E7','{"session":"ses_01M7KKZ33DE00RE6RH4G4M65PT","ask":"ask_01M7KKZ396E008TP6SCQ14KGGF"}');
INSERT INTO "fact" VALUES(7,1794881064447,'closed',1,6,2,X'17CCAD119400B8F8228194171576AFC6',X'F00380F78D2CB98F87062AB9DAC0FE8673C92D73EE845275C41CF6810CBC0964',X'2ADE5BFEE157C1AF156CE2319EF4B788329A94F04234703320767E665D63CC49','{"session":"ses_01M7KKZ33DE00RE6RH4G4M65PT","ask":"ask_01M7KKZ396E008TP6SCQ14KGGF","outcome":{"ending":"declined","by":{"user":"local","channel":"api","proof":"key_file"},"at":1794881064447,"comment":"not now","answers":[{"question":"q2","skipped":true}]},"from":"127.0.0.1"}');
INSERT INTO "fact" VALUES(8,1794881064471,'asked',1,7,3,X'D36C50597F7B9F85DFFA871C20AA0CA3',X'54BF4AEF735D7890748CD2517DFE4C6D1D4F25EB55437776CCB49975A85A4B66',X'EA22C4CB02861953F4281E63EA30AF8C62304E5BC31B2062850B6F3190975522',NULL);
INSERT INTO "fact" VALUES(9,1794881064471,'shown',1,8,3,X'394BA6D0588F399A131D5F1A5AB8028F',X'D66844DD957222026E91D2297650E9C6774D62B1EE9FEBD5A8CAC2F73BF66620',X'113BF39E44E6CB1638797B4B2DD0C3477F7AD59389FAD021BCBB8DC250268E62','{"session":"ses_01M7KKZ33DE00RE6RH4G4M65PT","ask":"ask_01M7KKZ3GQE00BWQTPS9TQZ5R3"}');
INSERT INTO "fact" VALUES(10,1794881065472,'closed',1,9,3,X'7CD00A0B4B0FE2506871764E04F1FF1B',X'D829B9AEB916E0A6104B9039FCC6F0FC94E82CBA7089BF46BDCC4B3D173AAD41',X'1E680D01CA1829015DDA8AE9178ED296924404FC0ADD5B5E6E2F4EC536A4289A','{"session":"ses_01M7KKZ33DE00RE6RH4G4M65PT","ask":"ask_01M7KKZ3GQE00BWQTPS9TQZ5R3","outcome":{"ending":{"expired":{"told_as":"timeout","abort":false}},"by":{"channel":"server","proof":"server"},"at":1794881065472,"answers":[{"question":"q3","skipped":true}]}}');
INSERT INTO "fact" VALUES(11,1794881065477,'delivered',1,10,3,X'6DEDEE2A2B8D36E28913B6D9B22BA33B',X'62A85051AFBDAF7E03E0AEC5C7DB22D3D1A822F2AD4CEAD11D80F5AB381B8BAF',X'BFE96B25E8D7CE59E7E8C0EC2A66AF90892BF84C02C0CAF851E3124EFA43B64D','{"session":"ses_01M7KKZ33DE00RE6RH4G4M65PT","ask":"ask_01M7KKZ3GQE00BWQTPS9TQZ5R3"}');
INSERT INTO "fact" VALUES(12,1794881065477,'acknowledged',1,11,3,X'DEF65620B83BB7A649283F03DF319298',X'E385CF1DAB38B431529E2A4D8330C7AEA50D9433C9581F4EF6C820DF871AE73C',X'AC8E512085EAB45F1A5448F1756EB941CE886BFA49D0998079FFA1AD7A0B9D48','{"session":"ses_01M7KKZ33DE00RE6RH4G4M65PT","ask":"ask_01M7KKZ3GQE00BWQTPS9TQZ5R3"}');
INSERT INTO "fact" VALUES(13,1794881065492,'session_opened',2,NULL,NULL,X'6505189725AA88D83175FA6CBA295A1E',X'E1CB0CE4510EDAD7C1D92AB15255AC24A901BC4B36695293C02D7B20CFBCE78B',X'384DC6B17C1CB735E5FB67C4E37E1D5FAAB93D9354C4D5B2206EEFC7CB2E09DD','{"session":"ses_01M7KKZ4GME00RDVM10S1QJWSW","owner":"local","origin":{"restored":"ses_01M7KKZ33DE00RE6RH4G4M65PT"},"status":"active","round":0,"created_at":1794881065492,"last_activity":1794881065492}');
INSERT INTO "fact" VALUES(14,1794881065492,'asked',2,13,4,X'00B7F2DA7F51C2A2694027BC191241B8',X'9F4464C818529C6964A6ECCF5D5E05EF96D1F672350316FDCA059831654D6A7C',X'9EAB6F0025B4FB8201988A1F8223E5DEAF335F0BDB3ACF44968A43DF3B3C3E18',NULL);
INSERT INTO "fact" VALUES(15,1794881065492,'shown',2,14,4,X'359B8FB8F172E9C795D4E8768F11E3AB',X'336D1B5208922F7BCD098DC493DD604A9874BB59B2D02D9E881863E46973F0C4',X'6FE57A78E7E42908A629EEBD9982E21314CEBFED1E4E4B8606080D321EB99EBD','{"session":"ses_01M7KKZ4GME00RDVM10S1QJWSW","ask":"ask_01M7KKZ4GME00ABHCMQH7G079S"}');
INSERT INTO "fact" VALUES(16,1794881065510,'asked',1,12,5,X'EE8DD1596F7D035B1B295F74AF0AE961',X'EE89098BAF2A06A2018B6C2DEEC46AAE262F97C12564FCFA00B2BF1C4D7FF87B',X'69CDF28511F77FCC502B76C9D515DA64607B1C33DF5DAF093C8A8C9841437983',NULL);
INSERT INTO "fact" VALUES(17,1794881065510,'shown',1,16,5,X'A04867D38C7FB69D8450CA760E4ED012',X'2FD33F573CA164D63B8C243FE37EC4B56AE682019DC4B993CC88499ADE569415',X'DC10F12EB62064B13CDD08E89921B8F4A4298E16F510995BA10FF9CEE8217809','{"session":"ses_01M7KKZ33DE00RE6RH4G4M65PT","ask":"ask_01M7KKZ4H6E00A9ZYYR2MQ6NPG"}');
INSERT INTO "fact" VALUES(18,1794881065766,'session_opened',3,NULL,NULL,X'13B01F4D122D8DADD847862A18B52248',X'014A208192AFB48C7406427FFC6CADCAD08E0327045C3330BE97AF273BBDCEF9',X'95CE14C09EB83CB3D09F9C70F298F3D9430D8DE697871B1ECDE4AFB6F5D2494E','{"session":"ses_01M7KKZ4S6E00RPPJZR9AE9XAF","owner":"local","origin":"named","status":"active","round":0,"created_at":1794881065766,"last_activity":1794881065766}');
INSERT INTO "fact" VALUES(19,1794881065766,'task_changed',3,18,NULL,X'EC6036857198346C0662C664D8F375A6',X'C454AF1AAA4C1DB81B84E9B0F93F5ACDCB217312DA1BB1342A5ECCAD59465282',X'F6A16B8E8B35CD9941E44B70B14A8A601F0E3D27C4B9EFDBAA077E4ED5649017','{"session":"ses_01M7KKZ4S6E00RPPJZR9AE9XAF","by":{"user":"local","channel":"api","proof":"key_file"},"task":{"task":"task_01M7KKZ4S6E008NENPKXGF921K","session":"ses_01M7KKZ4S6E00RPPJZR9AE9XAF","owner":"local","agent":"scripted","folder":"/srv","text":"look around","state":"queued","n_runs":1,"server":"srv_6AB1KZSDYC988RCQQJPZ6776W6","created_at":1794881065766,"changed_at":1794881065766}}');
INSERT INTO "fact" VALUES(20,1794881065766,'said',3,19,NULL,X'A1953A1791643CEBC0934E28914B77C3',X'7C19F584C75D319626CD1C3FC6217808841868C73C860F843FE9B08D389FBF95',X'E45AB387FD55FF4A45E9BF7557270062B9197848FD8FE149005DD588396FB6ED','{"session":"ses_01M7KKZ4S6E00RPPJZR9AE9XAF","uuid":"01a1e73f-9326-7002-9a79-ebd553edddba","round":0,"at":1794881065766,"kind":"text","text":"look around","by":"person"}');
INSERT INTO "fact" VALUES(21,1794881065771,'task_changed',3,20,NULL,X'B94EFB1170C737A2E68777537D32FBB4',X'84E80D976CDEACD776992782B99621089A8363DA5B231E55F73F3DEC25EC3094',X'54630A477872D418E864DFF80F21F3273C4C7953DEBEDC89189F643812E56B60','{"session":"ses_01M7KKZ4S6E00RPPJZR9AE9XAF","by":{"channel":"server","proof":"server"},"task":{"task":"task_01M7KKZ4S6E008NENPKXGF921K","session":"ses_01M7KKZ4S6E00RPPJZR9AE9XAF","owner":"local","agent":"scripted","folder":"/srv","text":"look around","state":"running","n_runs":1,"server":"srv_6AB1KZSDYC988RCQQJPZ6776W6","pid":20338,"pid_started":141017,"created_at":1794881065766,"changed_at":1794881065771}}');
INSERT INTO "fact" VALUES(22,1794881065777,'said',3,21,NULL,X'517920971DE0CC5CD3D40A2C059329A0',X'A75B99C04829DFF6FD0641F4B95658CCA22F2909326A42B1B3A8B2714B685841',X'C87B21308605863B3EF8CD68E4F5735507EF9D8828B7A7A44E7663EB33BB0337','{"session":"ses_01M7KKZ4S6E00RPPJZR9AE9XAF","uuid":"01a1e73f-9330-7000-a14e-6148886bb4f8","parent":"01a1e73f-9326-7002-9a79-ebd553edddba","round":0,"at":1794881065777,"kind":"error","text":"the agent ended before its work was done (exit status: 98): expected @ANY@\nbut heard {\"type\":\"control_request\",\"request_id\":\"askuser-initialize\",\"request\":{\"subtype\":\"initialize\"}}"}');
INSERT INTO "fact" VALUES(23,1794881065779,'task_changed',3,22,NULL,X'9EF21260F938C2544EF82029514EF233',X'9A231AB459A025D61001D1A8F92A6021C44509EBC9AD651EE49757BE96030B70',X'E566BED7125A0B594BA7940F17974A240178818189B44B64C5856282C2F06D71','{"session":"ses_01M7KKZ4S6E00RPPJZR9AE9XAF","by":{"channel":"server","proof":"server"},"task":{"task":"task_01M7KKZ4S6E008NENPKXGF921K","session":"ses_01M7KKZ4S6E00RPPJZR9AE9XAF","owner":"local","agent":"scripted","folder":"/srv","text":"look around","state":"failed","reason":"the agent ended before its work was done (exit status: 98): expected @ANY@\nbut heard {\"type\":\"control_request\",\"request_id\":\"askuser-initialize\",\"request\":{\"subtype\":\"initialize\"}}","n_runs":1,"server":"srv_6AB1KZSDYC988RCQQJPZ6776W6","created_at":1794881065766,"changed_at":1794881065779}}');
CREATE TABLE head (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    number INTEGER NOT NULL,
    hash BLOB NOT NULL
) STRICT;
INSERT INTO "head" VALUES(1,23,X'E566BED7125A0B594BA7940F17974A240178818189B44B64C5856282C2F06D71');
CREATE TABLE key (
    n INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    hash BLOB NOT NULL UNIQUE,
    role TEXT NOT NULL CHECK (role IN ('agent', 'person', 'admin')),
    user INTEGER NOT NULL REFERENCES user (n),
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
) STRICT;
INSERT INTO "key" VALUES(1,X'01A1E73F8C5B7000ACE7708AB198C78F',X'EDD6F2392EA23E1939C11651EEA70E1C0F818DA53E2E2AB7B50B00BAD958F69B','agent',1,'local',1794881064027,NULL);
INSERT INTO "key" VALUES(2,X'01A1E73F8C5C7000ACFA9B51C13FF90E',X'7705914DCB676E2436B596F7BA6ACE9BA271A83A4AF833634D38EF2FAC05942D','person',1,'local',1794881064028,NULL);
INSERT INTO "key" VALUES(3,X'01A1E73F8C5D70008AF87A58C9FCD96B',X'DD2ACE5B7B7447B585F91A1B18638E191ACD0B1C22E75BA00B9196DBE73FDA01','admin',1,'local',1794881064029,NULL);
INSERT INTO "key" VALUES(4,X'01A1E73F93137000AD2CC30C96B32CF6',X'81EC7DEFF7DDAAB6A80EF70BD3D777BDD89BB7DE7962803B1DF8B19C991F5316','agent',2,'made by hand',1794881065747,NULL);
CREATE TABLE login_link (
    n INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    user INTEGER NOT NULL REFERENCES user (n),
    expires_at INTEGER NOT NULL
) STRICT;
CREATE TABLE made_rule (
    n INTEGER PRIMARY KEY,
    person TEXT NOT NULL,
    ask BLOB NOT NULL,
    place INTEGER NOT NULL,
    mark BLOB NOT NULL,
    made_at INTEGER NOT NULL,
    until INTEGER NOT NULL,
    entry TEXT NOT NULL,
    UNIQUE (person, ask, place)
) STRICT;
CREATE TABLE nudge (
    n INTEGER PRIMARY KEY,
    ask BLOB NOT NULL,
    person TEXT NOT NULL,
    step INTEGER NOT NULL,
    channel TEXT NOT NULL,
    at INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('trying', 'waiting', 'sent', 'over')),
    receipt TEXT,
    UNIQUE (ask, person, step, channel)
) STRICT;
CREATE TABLE push_key (
    n INTEGER PRIMARY KEY CHECK (n = 1),
    pkcs8 BLOB NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE schema_migration (
    version INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    applied_at INTEGER NOT NULL,
    program TEXT NOT NULL
) STRICT;
INSERT INTO "schema_migration" VALUES(1,'first','779101552a9b76296edf599c84b60add43d0a032bca6b269bf4467c275213db0',1794881064003,'0.1.0');
INSERT INTO "schema_migration" VALUES(2,'restore','5d17a5626bd19cf04a8606b71512d07d7fe044b5ad066e9bc0540ea9bc696987',1794881064003,'0.1.0');
INSERT INTO "schema_migration" VALUES(3,'threads','b59415a3306ea0cc15d01e3f39ab670140878b8c649c85975af90adbc68bc2d1',1794881064003,'0.1.0');
INSERT INTO "schema_migration" VALUES(4,'tasks','3bcb7eb16d60d44cf1f139be85ff173836859363d39e7fbb197af6a7ef1b59e2',1794881064003,'0.1.0');
INSERT INTO "schema_migration" VALUES(5,'audit','c98e22eadc28081478213b19d3c691a6e4c3fa0809c4d75ebbe91a7a36aea3ca',1794881064003,'0.1.0');
INSERT INTO "schema_migration" VALUES(6,'servers','7a64fdea78f8d0d59020d408973ce50d8c1a740036d1cbf2fe89010a01bcdc90',1794881064003,'0.1.0');
INSERT INTO "schema_migration" VALUES(7,'people','b4fa2e66a04ce215edf9e3bab9fe4f0933920da8b562c1abb427a94d63a79815',1794881064003,'0.1.0');
INSERT INTO "schema_migration" VALUES(8,'nudges','e5258a6e17a2afd02ac5818f7578168333756afa7fc9c56f558a8395494bf63c',1794881064003,'0.1.0');
INSERT INTO "schema_migration" VALUES(9,'push','d28aae69be8d683cce8619d595412841a249723bf6f2c56cab0d4f3cc89daffa',1794881064003,'0.1.0');
INSERT INTO "schema_migration" VALUES(10,'rules','4f0dabe9841551264126fb07575a7ac4b4bff37a7dc5595b0cb0e052a7163dde',1794881064003,'0.1.0');
CREATE TABLE security_event (
    number INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    severity TEXT NOT NULL CHECK (severity IN ('low', 'medium', 'high')),
    -- What is known of it, as JSON.
    details TEXT NOT NULL,
    hash BLOB NOT NULL
) STRICT;
CREATE TABLE security_head (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    number INTEGER NOT NULL,
    hash BLOB NOT NULL
) STRICT;
INSERT INTO "security_head" VALUES(1,0,X'0000000000000000000000000000000000000000000000000000000000000000');
CREATE TABLE session (
    n INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    external_id TEXT,
    -- 0 for the session that holds the name now, its own `n` for one whose name was taken over.
    superseded INTEGER NOT NULL DEFAULT 0,
    origin TEXT NOT NULL CHECK (origin IN ('named', 'derived', 'restored')),
    restored_from BLOB,
    status TEXT NOT NULL CHECK (status IN ('active', 'completed', 'timeout')),
    round INTEGER NOT NULL,
    total_rounds INTEGER,
    created_at INTEGER NOT NULL,
    last_activity INTEGER NOT NULL,
    last_fingerprint BLOB,
    last_depth INTEGER,
    last_at INTEGER,
    n_open INTEGER NOT NULL
, restore_reason TEXT, last_fact INTEGER) STRICT;
INSERT INTO "session" VALUES(1,X'01A1E73F8C6D7001871B1124094316DA','local','conversation',0,'named',NULL,'active',4,NULL,1794881064045,1794881065510,X'B810E0DB75629152E4949A7258948671',1,1794881065510,1,NULL,17);
INSERT INTO "session" VALUES(2,X'01A1E73F9214700186EE81064379733C','local',NULL,0,'restored',X'01A1E73F8C6D7001871B1124094316DA','active',1,NULL,1794881065492,1794881065492,X'1EE8A8921906F20DAF7519783179D978',1,1794881065492,1,NULL,15);
INSERT INTO "session" VALUES(3,X'01A1E73F932670018B5A5FC254E4F54F','local',NULL,0,'named',NULL,'active',0,NULL,1794881065766,1794881065779,NULL,NULL,NULL,0,NULL,23);
CREATE TABLE task (
    session INTEGER PRIMARY KEY REFERENCES session (n),
    id BLOB NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed', 'stopped', 'interrupted')),
    -- Everything else that is known of it.
    body TEXT NOT NULL,
    -- The message that the next one follows.
    last_message BLOB
, server BLOB) STRICT;
INSERT INTO "task" VALUES(3,X'01A1E73F932670008ABAB69F60F48833','local','failed','{"task":"task_01M7KKZ4S6E008NENPKXGF921K","session":"ses_01M7KKZ4S6E00RPPJZR9AE9XAF","owner":"local","agent":"scripted","folder":"/srv","text":"look around","state":"failed","reason":"the agent ended before its work was done (exit status: 98): expected @ANY@\nbut heard {\"type\":\"control_request\",\"request_id\":\"askuser-initialize\",\"request\":{\"subtype\":\"initialize\"}}","n_runs":1,"server":"srv_6AB1KZSDYC988RCQQJPZ6776W6","created_at":1794881065766,"changed_at":1794881065779}',X'01A1E73F93307000A14E6148886BB4F8',X'CA5867FCB7CC4A11865EF2B7CC739B86');
CREATE TABLE user (
    n INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    disabled_at INTEGER
) STRICT;
INSERT INTO "user" VALUES(1,'local',1794881064025,NULL);
INSERT INTO "user" VALUES(2,'ben',1794881065729,NULL);
CREATE UNIQUE INDEX session_name ON session (owner, external_id, superseded) WHERE external_id IS NOT NULL;
CREATE INDEX session_owner ON session (owner);
CREATE INDEX session_counted ON session (owner) WHERE n_open > 0 AND origin <> 'derived';
CREATE INDEX session_live ON session (created_at) WHERE status = 'active';
CREATE INDEX ask_open ON ask (owner) WHERE standing = 0;
CREATE INDEX ask_deadline ON ask (deadline) WHERE standing = 0 AND deadline IS NOT NULL;
CREATE INDEX ask_key ON ask (owner, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX cookie_expiry ON cookie (expires_at);
CREATE INDEX login_link_expiry ON login_link (expires_at);
CREATE INDEX ask_unfetched ON ask (session, standing) WHERE standing < 2;
CREATE INDEX task_owner ON task (owner);
CREATE INDEX task_alive ON task (state) WHERE state IN ('queued', 'running');
CREATE INDEX ask_ended ON ask (closed) WHERE closed IS NOT NULL AND erased_at IS NULL;
CREATE INDEX ask_for_others ON ask (n) WHERE standing = 0 AND people IS NOT NULL;
CREATE INDEX nudge_receipt ON nudge (person, channel, receipt) WHERE receipt IS NOT NULL;
CREATE INDEX answer_link_expiry ON answer_link (expires_at);
CREATE INDEX browser_user ON browser (user);
CREATE INDEX made_rule_mark ON made_rule (person, mark);
COMMIT;
