package eg
